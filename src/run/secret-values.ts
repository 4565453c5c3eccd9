// Values that must never be written although their variables' names do not look secret: connector keys, `--pass-env`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function secretValues(appRoot: string, env: NodeJS.ProcessEnv, passEnv: string[]): string[] {
  const values: Array<string | undefined> = passEnv.map((name) => env[name])
  for (const text of connectorFiles(join(appRoot, 'connectors'))) {
    for (const [, name = ''] of text.matchAll(/"(?:key|token|secret|password)"\s*:\s*"\$ENV\.([A-Za-z0-9_]+)"/g))
      values.push(env[name])
    for (const [, value] of text.matchAll(/"(?:key|token|secret|password)"\s*:\s*"(?!\$ENV\.)([^"]+)"/g))
      values.push(value)
  }
  return values.filter((value): value is string => value !== undefined && value !== '')
}

function connectorFiles(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.conn.yao'))
      .map((name) => readFileSync(join(dir, name), 'utf8'))
  } catch {
    // No connectors, or unreadable ones: the connector itself says so when it is used.
    return []
  }
}
