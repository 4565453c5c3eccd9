// Every secret value in the connector and tool server files of a project, so that the redactor knows them before the first call.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { credentialSecrets } from '../http/credentials.js'
import { isSecretSetting } from '../redact/secret-names.js'
import { fillKnown, variablesIn, type EnvValues } from './env-values.js'
import { findConnectorFiles } from './registry.js'

/** Never fails: a file that cannot be read is reported when it is used. */
export function findConnectorKeys(appRoot: string, env: EnvValues): string[] {
  const found = new Set<string>()
  for (const path of [...findConnectorFiles(appRoot).values(), ...findServerFiles(appRoot)]) {
    const pairs = readLenient(path)
    for (const secret of hostSecrets(pairs, env)) found.add(secret)
    for (const value of secretValues(pairs)) {
      for (const name of variablesIn(value)) found.add(env[name] ?? '')
      // `Bearer …`: the word before the key is not a secret.
      found.add(fillKnown(value.replace(/^\w+\s+/, ''), env))
    }
  }
  found.delete('')
  return [...found]
}

/** `http://user:password@host`. */
function hostSecrets(pairs: Record<string, string[]>, env: EnvValues): string[] {
  const hosts = ['host', 'proxy', 'url'].flatMap((name) => pairs[name] ?? [])
  return hosts.flatMap((host) => credentialSecrets(fillKnown(host, env)))
}

function findServerFiles(appRoot: string): string[] {
  const folders = ['assistants', 'mcps'].map((name) => join(appRoot, name)).filter((folder) => existsSync(folder))
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.mcp\.(yao|json|jsonc)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
}

/** The pairs `"name": "value"` of the text: enough for values, and indifferent to comments and mistakes. */
function readLenient(path: string): Record<string, string[]> {
  const pairs: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  try {
    for (const [, name, value] of readFileSync(path, 'utf8').matchAll(
      /("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*")/g,
    )) {
      const key: unknown = JSON.parse(name ?? '""')
      const text: unknown = JSON.parse(value ?? '""')
      if (typeof key === 'string' && typeof text === 'string') (pairs[key] ??= []).push(text)
    }
  } catch {
    // What was read up to there still counts.
  }
  return pairs
}

/** What a setting says is a secret, and every variable that is named but for those that say where and which model. */
function secretValues(pairs: Record<string, string[]>): string[] {
  return Object.entries(pairs).flatMap(([name, values]) => {
    if (isSecretSetting(name)) return values
    return PUBLIC_SETTINGS.has(name) ? [] : values.filter((value) => VARIABLE.test(value))
  })
}

const VARIABLE = /^(?:\w+\s+)?\$ENV\.\w+$/
const PUBLIC_SETTINGS = new Set('host url proxy model type name label version region cwd command transport'.split(' '))
