// The providers of a configuration: models become connectors, endpoints and programs agents. What is neither is left behind, and said.
import { isPresent, isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import type { Origin } from '../imported.js'
import type { Located, SourceFolder, Steps } from '../read-source.js'
import type { Slugs } from '../slug.js'
import { agentFor, type AgentMade, type Place } from './agents.js'
import { connectorFor, type Connector } from './connectors.js'
import { IDLE_SETTINGS, PROVIDER_KEYS } from './keys.js'
import { unknownKeys } from '../unknown-keys.js'

export interface SourceProvider extends Origin {
  /** As the configuration names it. */
  id: string
  label: string
  /** Id of the connector or agent, and of the variant. */
  name: string
  connector?: Connector & { label: string; price?: object }
  agent?: AgentMade
  /** Its answers are data if they are JSON. */
  json: boolean
  /** Only these prompts, by label or id. */
  prompts?: string[]
  transform?: unknown
  /** Why it does not stand for the provider as it was. */
  lost: string[]
  note?: string
}

export async function readProviders(
  config: Located,
  folder: SourceFolder,
  slugs: Slugs,
  place: Place,
): Promise<SourceProvider[]> {
  const value = isRecord(config.value) ? (config.value['providers'] ?? config.value['targets']) : undefined
  const key = isRecord(config.value) && config.value['providers'] === undefined ? 'targets' : 'providers'
  const at = (steps: Steps): Origin => ({ file: config.file, line: config.lineOf([key, ...steps]) })
  const found: SourceProvider[] = []
  const entries: unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  for (const [index, entry] of entries.entries()) {
    const origin = at(Array.isArray(value) ? [index] : [])
    try {
      for (const one of await unfold(entry, folder)) found.push(readProvider(one, origin, slugs, place))
    } catch (error) {
      found.push(leftBehind(nameOf(entry), origin, slugs, messageOf(error)))
    }
  }
  return found
}

function leftBehind(id: string, origin: Origin, slugs: Slugs, reason: string): SourceProvider {
  return { ...origin, id, label: id, name: slugs.take(shortName(id), 'provider'), json: false, lost: [reason] }
}

/** A file may hold one provider or a list of them. */
async function unfold(entry: unknown, folder: SourceFolder): Promise<unknown[]> {
  if (typeof entry !== 'string' || !/^file:\/\/.*\.(?:ya?ml|json)$/i.test(entry)) return [entry]
  const { value } = await folder.structured(entry.slice('file://'.length))
  return Array.isArray(value) ? value : [value]
}

/** Throws an Error if it cannot be read at all. */
export function readProvider(entry: unknown, origin: Origin, slugs: Slugs, place: Place): SourceProvider {
  const { id, label, config, prompts, transform, ignored } = normalised(entry)
  const name = slugs.take(label ?? shortName(id), 'provider')
  const base = {
    ...origin,
    id,
    label: label ?? id,
    name,
    json: givesData(id, config['response_format']),
    ...(prompts && { prompts }),
    ...(isPresent(transform) && { transform }),
  }
  try {
    const made = reach(id, config, name, place)
    const price = priceOf(config)
    const taken = new Set([...made.taken, ...IDLE_SETTINGS, 'apiKey', ...(price ? PRICES : [])])
    const left = Object.keys(config).filter((key) => !taken.has(key) && isPresent(config[key]))
    return {
      ...base,
      ...('connector' in made
        ? { connector: { label: label ?? id, ...made.connector, ...(price && { price }) } }
        : { agent: made }),
      lost: [...ignored, ...left],
      ...('note' in made && made.note !== undefined && { note: made.note }),
    }
  } catch (error) {
    return { ...base, lost: [messageOf(error), ...ignored] }
  }
}

function reach(id: string, config: Record<string, unknown>, name: string, place: Place): Reached {
  const agentic =
    /^(?:anthropic:claude-(?:agent-sdk|code)|openai:(?:codex|agents)|opencode|mcp|https?(?::|$)|file:|python:|exec:)/
  if (agentic.test(id)) return agentFor(id, config, name, place)
  const made = connectorFor(id, config)
  if (made) return made
  throw new Error('no connector or agent reaches it')
}

type Reached = NonNullable<ReturnType<typeof connectorFor>> | AgentMade

function shortName(id: string): string {
  return id.replace(
    /^(?:openai|anthropic|google):(?:chat:|messages:|responses:)?|^(?:file:\/\/|python:|https?:\/\/)/,
    '',
  )
}

/** Promptfoo reads answers of a schema as data; those of `json_object` only where they come from the Responses API. */
function givesData(id: string, format: unknown): boolean {
  const type = isRecord(format) ? format['type'] : undefined
  return type === 'json_schema' || (type === 'json_object' && id.startsWith('openai:responses:'))
}

/** Dollars a token → dollars a million. */
function priceOf({ cost, inputCost = cost, outputCost = cost }: Record<string, unknown>): object | undefined {
  if (typeof inputCost !== 'number' || typeof outputCost !== 'number') return undefined
  return { input: perMillion(inputCost), output: perMillion(outputCost) }
}

function perMillion(dollars: number): number {
  return Number((dollars * 1e6).toPrecision(12))
}

const PRICES = ['cost', 'inputCost', 'outputCost']

interface Normalised {
  id: string
  label?: string
  config: Record<string, unknown>
  prompts?: string[]
  transform?: unknown
  /** Keys beside these. */
  ignored: string[]
}

function normalised(entry: unknown): Normalised {
  if (typeof entry === 'string') return { id: entry, config: {}, ignored: [] }
  if (!isRecord(entry)) throw new Error('expected a name or {id, config}')
  const [only, ...more] = Object.keys(entry)
  const inner = entry['id'] === undefined && only !== undefined ? entry[only] : undefined
  if (inner !== undefined && isRecord(inner) && only !== undefined) {
    if (more.length > 0) throw new Error(`beside it there is ${more.join(', ')}: expected one provider an entry`)
    return normalised({ id: only, ...inner })
  }
  const { id, label, config, prompts, transform, env } = entry
  if (typeof id !== 'string') throw new Error('it has no id')
  if (isPresent(prompts) && !Array.isArray(prompts)) throw new Error('its prompts are not a list')
  return {
    id,
    config: isRecord(config) ? config : {},
    ignored: [
      ...unknownKeys(entry, PROVIDER_KEYS).map(({ reason }) => reason),
      ...(isPresent(env) ? ['env'] : []),
      ...(isPresent(config) && !isRecord(config) ? ['a config that is not an object'] : []),
    ],
    ...(typeof label === 'string' && { label }),
    ...(Array.isArray(prompts) && { prompts: prompts.map(String) }),
    ...(isPresent(transform) && { transform }),
  }
}

function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (!isRecord(entry)) return '(unnamed)'
  return typeof entry['id'] === 'string' ? entry['id'] : (Object.keys(entry)[0] ?? '(unnamed)')
}
