// Providers → connectors. Keys are never read: a connector names the variable.
import { isPresent, isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import type { Origin } from '../imported.js'
import type { Located, SourceFolder, Steps } from '../read-source.js'
import type { Slugs } from '../slug.js'
import { IDLE_SETTINGS, PROVIDER_KEYS } from './keys.js'
import type { Lose } from './prompts.js'
import { unknownKeys } from '../unknown-keys.js'

export interface SourceProvider extends Origin {
  /** As the configuration names it. */
  id: string
  label: string
  /** Id of the connector, and of the variant. */
  name: string
  connector: Record<string, unknown>
  /** Its answers are data if they are JSON. */
  json: boolean
  /** Only these prompts, by label or id. */
  prompts?: string[]
  transform?: unknown
  /** Settings that have no counterpart. */
  ignored: string[]
}

/** OpenAI-compatible endpoints, and the variable that holds the key. */
const HOSTS: Record<string, [host: string, key: string]> = {
  openrouter: ['https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  groq: ['https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
  mistral: ['https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
  deepseek: ['https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'],
  togetherai: ['https://api.together.xyz/v1', 'TOGETHER_API_KEY'],
  together: ['https://api.together.xyz/v1', 'TOGETHER_API_KEY'],
  fireworks: ['https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'],
  cerebras: ['https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'],
  perplexity: ['https://api.perplexity.ai', 'PERPLEXITY_API_KEY'],
  xai: ['https://api.x.ai/v1', 'XAI_API_KEY'],
  nvidia: ['https://integrate.api.nvidia.com/v1', 'NVIDIA_API_KEY'],
  hyperbolic: ['https://api.hyperbolic.xyz/v1', 'HYPERBOLIC_API_KEY'],
  novita: ['https://api.novita.ai/v3/openai', 'NOVITA_API_KEY'],
  github: ['https://models.github.ai/inference', 'GITHUB_TOKEN'],
  moonshot: ['https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'],
}

/** Parameters of a model that are spelled the same everywhere. */
const PARAMETERS = [
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'response_format',
  'reasoning_effort',
]

export async function readProviders(
  config: Located,
  folder: SourceFolder,
  slugs: Slugs,
  lose: Lose,
): Promise<SourceProvider[]> {
  const value = isRecord(config.value) ? (config.value['providers'] ?? config.value['targets']) : undefined
  const key = isRecord(config.value) && config.value['providers'] === undefined ? 'targets' : 'providers'
  const at = (steps: Steps): Origin => ({ file: config.file, line: config.lineOf([key, ...steps]) })
  const found: SourceProvider[] = []
  const entries: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value]
  for (const [index, entry] of entries.entries()) {
    const origin = at(Array.isArray(value) ? [index] : [])
    try {
      for (const one of await unfold(entry, folder)) found.push(readProvider(one, origin, slugs))
    } catch (error) {
      lose(`provider ${nameOf(entry)}: ${messageOf(error)}`, origin)
    }
  }
  return found
}

/** A file may hold one provider or a list of them. */
async function unfold(entry: unknown, folder: SourceFolder): Promise<unknown[]> {
  if (typeof entry !== 'string' || !/^file:\/\/.*\.(?:ya?ml|json)$/i.test(entry)) return [entry]
  const { value } = await folder.structured(entry.slice('file://'.length))
  return Array.isArray(value) ? value : [value]
}

/** Throws an Error that says why it is left behind. */
export function readProvider(entry: unknown, origin: Origin, slugs: Slugs): SourceProvider {
  const { id, label, config, prompts, transform, ignored } = normalised(entry)
  const made = connectorFor(id, config)
  const name = slugs.take(
    label ?? id.replace(/^(?:openai|anthropic|google):(?:chat:|messages:|responses:)?/, ''),
    'model',
  )
  const price = priceOf(config)
  return {
    ...origin,
    id,
    label: label ?? id,
    name,
    connector: { label: label ?? id, ...made, ...(price && { price }) },
    ignored: [...ignored, ...Object.keys(config).filter((key) => !isUsed(key, config, made))],
    json: givesData(id, config['response_format']),
    ...(prompts && { prompts }),
    ...(isPresent(transform) && { transform }),
  }
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

function isUsed(key: string, config: Record<string, unknown>, connector: Record<string, unknown>): boolean {
  const options = isRecord(connector['options']) ? connector['options'] : {}
  if (PRICES.includes(key)) return priceOf(config) !== undefined
  if (connector['type'] === 'echo') return true
  // A key is never copied: the variable that the connector names holds it.
  if (key === 'apiKey' || IDLE_SETTINGS.includes(key)) return true
  if (key === 'apiKeyEnvar') return options['key'] === `$ENV.${String(config[key])}`
  if (key === 'apiBaseUrl' || key === 'apiHost') return options['host'] === config[key]
  return options[key] === config[key]
}

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

function connectorFor(id: string, config: Record<string, unknown>): Record<string, unknown> {
  const [vendor = '', ...rest] = id.split(':')
  for (const name of ['tools', 'functions', 'function_call', 'tool_choice', 'functionToolCallbacks', 'mcp'])
    if (config[name] !== undefined) throw new Error(`its ${name} cannot be carried over: give the agent package tools`)
  const parameters = Object.fromEntries(
    PARAMETERS.flatMap((name) => (isPlain(config[name]) ? [[name, config[name]]] : [])),
  )
  switch (vendor) {
    case 'echo':
      return { type: 'echo', options: {} }
    case 'openai': {
      const model = withoutKind(rest, ['chat', 'responses'], config)
      const host = textOf(config['apiBaseUrl']) ?? textOf(config['apiHost'])
      const key = variable(config['apiKeyEnvar'], 'OPENAI_API_KEY')
      return { type: 'openai', options: { model, ...(host !== undefined && { host }), key, ...parameters } }
    }
    case 'anthropic': {
      const model = withoutKind(rest, ['messages', 'completion'], config)
      const { max_tokens = 1024, ...others } = parameters
      return {
        type: 'anthropic',
        options: {
          model,
          key: variable(config['apiKeyEnvar'], 'ANTHROPIC_API_KEY'),
          max_tokens,
          ...pick(others, ['temperature', 'top_p']),
        },
      }
    }
    case 'google': {
      const model = rest.join(':')
      if (!model.startsWith('gemini')) throw new Error('only Gemini models are carried over')
      return {
        type: 'google',
        options: { model, key: '$ENV.GOOGLE_API_KEY', ...pick(parameters, ['temperature', 'max_tokens']) },
      }
    }
    case 'ollama':
      return {
        type: 'openai',
        options: {
          model: withoutKind(rest, ['chat', 'completion'], config),
          host: 'http://localhost:11434/v1',
          ...parameters,
        },
      }
    default: {
      const known = Object.hasOwn(HOSTS, vendor) ? HOSTS[vendor] : undefined
      if (!known || rest.length === 0) throw new Error('there is no connector for it')
      const [host, key] = known
      return {
        type: 'openai',
        options: {
          model: withoutKind(rest, ['chat'], config),
          host,
          key: variable(config['apiKeyEnvar'], key),
          ...parameters,
        },
      }
    }
  }
}

function withoutKind(rest: string[], kinds: string[], config: Record<string, unknown>): string {
  const [kind = ''] = rest
  const model = (kinds.includes(kind) ? rest.slice(1) : rest).join(':')
  if (
    /^(?:embedding|embeddings|image|assistant|realtime|moderation|video|transcription|agents|chatkit|codex.*|claude-(?:agent-sdk|code))$/.test(
      kind,
    )
  )
    throw new Error(`${kind} is not a conversation with a model`)
  const named = model === '' ? textOf(config['model']) : model
  if (named === undefined || named === '') throw new Error('it names no model')
  return named
}

function pick(parameters: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)))
}

/** A value without a template or a file name. */
function isPlain(value: unknown): boolean {
  return value !== undefined && !/\{\{|file:\/\//.test(JSON.stringify(value))
}

function variable(given: unknown, usual: string): string {
  return `$ENV.${typeof given === 'string' && /^\w+$/.test(given) ? given : usual}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.includes('{{') ? value : undefined
}

function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (!isRecord(entry)) return '(unnamed)'
  return typeof entry['id'] === 'string' ? entry['id'] : (Object.keys(entry)[0] ?? '(unnamed)')
}
