// Secrets in a `.env` that both sides are given: known, so that no report shows them.
import { basename } from 'node:path'
import { readFileSync } from 'node:fs'
import { isSecretSetting } from '../redact/secret-names.js'

export function linkedSecrets(paths: readonly string[]): string[] {
  return paths.filter((path) => /^\.env|\.env$/.test(basename(path))).flatMap((path) => valuesIn(path))
}

function valuesIn(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
        return isSecretSetting(name) && value !== '' ? [value.replace(/^(["'])(.*)\1$/, '$2')] : []
      })
  } catch {
    return []
  }
}
