// Which model a connector asks, without its key: so that it can be named where there is none, on replay for example.
import { readFileSync } from 'node:fs'
import { canonicalJson } from '../base/json/canonical-json.js'
import { isRecord, readString } from '../base/record.js'
import { expandEnv, fillKnown, variablesIn, type EnvValues } from './env-values.js'
import { readJsonc } from './conn-file.js'
import { findConnectorFiles } from './registry.js'

export interface ConnectorDescription {
  model: string
  /** Its settings as text, in one order, without keys. */
  settings: string
}

export async function describeConnector(id: string, appRoot: string, env: EnvValues): Promise<ConnectorDescription> {
  const path = findConnectorFiles(appRoot).get(id)
  // `openai:MODEL`, `mock`, `echo`: the id says it all.
  if (path === undefined) return { model: id, settings: id }
  const value = await readJsonc(readFileSync(path, 'utf8'), path)
  const { type, options } = isRecord(value) ? value : {}
  const told = Object.entries(isRecord(options) ? options : {}).filter(([name, item]) => isTold(name, item))
  const settings = Object.fromEntries(told.map(([name, item]) => [name, filled(item, env)]))
  const model = readString(settings['model'])
  return { model: model === undefined ? id : `${id} (${model})`, settings: canonicalJson({ id, type, settings }) }
}

const SECRET = new Set(['key', 'api_key', 'apiKey', 'headers'])
const FROM_ENVIRONMENT = new Set(['model', 'host', 'package', 'deployment'])

/** Whatever else comes from the environment may be a secret. */
function isTold(name: string, value: unknown): boolean {
  if (SECRET.has(name)) return false
  return FROM_ENVIRONMENT.has(name) || variablesIn(JSON.stringify(value) ?? '').length === 0
}

function filled(value: unknown, env: EnvValues): unknown {
  return typeof value === 'string' ? fillKnown(value, env) : expandEnv(value, env, 'a connector')
}
