// A model of promptfoo's → a connector. Keys are never read: a connector names the variable.
import { isRecord } from '../../base/record.js'
import { MODEL_VENDORS } from '../../connectors/model-vendors.js'

export type Config = Record<string, unknown>

export interface Connector {
  type: string
  options: Record<string, unknown>
}

export interface Mapped {
  connector: Connector
  /** Keys of the configuration that it takes; the others have no counterpart. */
  taken: string[]
  note?: string
}

/** How promptfoo spells vendors that we spell otherwise. */
const VENDORS: Record<string, string> = { togetherai: 'together', 'openai-chat': '' }

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
  'verbosity',
]

/** What the Responses API takes beside them. */
const OF_RESPONSES = ['instructions', 'max_output_tokens', 'reasoning', 'text', 'truncation', 'top_p', 'metadata']

const OF_A_CALL = ['tools', 'functions', 'function_call', 'tool_choice', 'functionToolCallbacks', 'mcp']

/** Undefined if it is no model that a connector reaches. Throws an Error that says why it is left behind. */
export function connectorFor(id: string, config: Config): Mapped | undefined {
  const [vendor = '', ...rest] = id.split(':')
  const make = Object.hasOwn(MAKERS, vendor) ? MAKERS[vendor] : (compatible(vendor) ?? undefined)
  if (!make) return undefined
  const called = OF_A_CALL.find((name) => config[name] !== undefined)
  if (called !== undefined) throw new Error(`its ${called} cannot be carried over: give the agent package tools`)
  return make(rest, config)
}

type Maker = (rest: string[], config: Config) => Mapped

const MAKERS: Record<string, Maker> = {
  echo: (_, config) => ({ connector: { type: 'echo', options: {} }, taken: Object.keys(config) }),
  openai: (rest, config) => {
    const isResponses = rest[0] === 'responses'
    const names = isResponses ? [...PARAMETERS, ...OF_RESPONSES] : PARAMETERS
    const extra = isRecord(config['passthrough']) ? { extra_body: config['passthrough'] } : {}
    return mapped(
      isResponses ? 'openai-responses' : 'openai',
      config,
      names,
      {
        model: modelOf(rest, ['chat', 'responses', 'completion'], config),
        ...hostOf(config),
        key: variable(config['apiKeyEnvar'], 'OPENAI_API_KEY'),
        ...extra,
      },
      Object.keys(extra).length > 0 ? ['passthrough'] : [],
    )
  },
  anthropic: (rest, config) => {
    const { max_tokens = 1024 } = config
    return mapped('anthropic', config, ['max_tokens', 'temperature', 'top_p'], {
      model: modelOf(rest, ['messages', 'completion'], config),
      ...hostOf(config),
      key: variable(config['apiKeyEnvar'], 'ANTHROPIC_API_KEY'),
      max_tokens,
    })
  },
  google: (rest, config) => {
    const model = rest.join(':')
    if (!/^gem(?:ini|ma)/.test(model)) throw new Error('only Gemini models are carried over')
    return mapped('google', ofGemini(config), GEMINI, { model, key: variable(config['apiKeyEnvar'], 'GOOGLE_API_KEY') })
  },
  vertex: (rest, config) => {
    const model = rest.join(':')
    if (!model.startsWith('gemini')) throw new Error('only Gemini models are carried over')
    const settings = { ...rename(config, 'projectId', 'project'), ...rename(config, 'region', 'location') }
    return withPackage('@ai-sdk/google-vertex', model, ofGemini(config), GEMINI, settings, ['projectId', 'region'])
  },
  bedrock: (rest, config) => {
    const model = (rest[0] === 'converse' ? rest.slice(1) : rest).join(':')
    if (/^(?:kb|video|mantle|agents?|nova-(?:sonic|reel)|image|embed\w*):?/.test(model) || model === '')
      throw new Error('it is not a conversation with a model')
    const given = {
      ...config,
      ...rename(config, 'maxTokens', 'max_tokens'),
      ...rename(config, 'topP', 'top_p'),
      ...rename(config, 'max_gen_len', 'max_tokens'),
    }
    const settings = rename(config, 'region', 'region')
    return withPackage('@ai-sdk/amazon-bedrock', model, given, ['temperature', 'max_tokens', 'top_p'], settings, [
      'region',
      'maxTokens',
      'topP',
      'max_gen_len',
      'inferenceModelType',
    ])
  },
  azure,
  azureopenai: azure,
}

/** A deployment has an address of its own; the host is in the configuration, or in a variable. */
function azure([kind = '', ...rest]: string[], config: Config): Mapped {
  if (kind !== 'chat' && kind !== 'responses' && kind !== 'completion')
    throw new Error(`${kind} is not a conversation with a model`)
  const deployment = rest.join(':') || textOf(config['deployment'])
  if (deployment === undefined || deployment === '') throw new Error('it names no deployment')
  const host = (textOf(config['apiHost']) ?? textOf(config['apiBaseUrl']) ?? '$ENV.AZURE_API_HOST').replace(
    /^https?:\/\/|\/+$/g,
    '',
  )
  const version = textOf(config['apiVersion'])
  const isResponses = kind === 'responses'
  const address = isResponses
    ? `https://${host}/openai/v1`
    : `https://${host}/openai/deployments/${deployment}/chat/completions?api-version=${version ?? '2024-12-14'}`
  const names = isResponses ? [...PARAMETERS, ...OF_RESPONSES] : PARAMETERS
  return mapped(
    isResponses ? 'openai-responses' : 'openai',
    config,
    names,
    { model: deployment, host: address, azure: true, key: variable(config['apiKeyEnvar'], 'AZURE_API_KEY') },
    ['apiHost', 'apiBaseUrl', 'apiVersion', 'deployment'].filter((name) => textOf(config[name]) !== undefined),
  )
}

/** Chat completions of a vendor in our table. */
function compatible(prefix: string): Maker | undefined {
  const name = VENDORS[prefix] ?? prefix
  const vendor = MODEL_VENDORS.find((one) => one.prefix === name && one.type === 'openai')
  if (!vendor) return undefined
  const [usual] = vendor.keyVariables
  return (rest, config) =>
    mapped('openai', config, PARAMETERS, {
      model: modelOf(rest, ['chat', 'completion', 'responses'], config),
      host: vendor.host,
      ...hostOf(config),
      ...(usual !== undefined && { key: variable(config['apiKeyEnvar'], usual) }),
    })
}

const GEMINI = ['temperature', 'max_tokens', 'top_p', 'top_k', 'stop']
const GEMINI_NAMES: Record<string, string> = {
  maxOutputTokens: 'max_tokens',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop',
}

/** Its parameters may be in `generationConfig`, and have names of their own. */
function ofGemini(config: Config): Config {
  const inner = isRecord(config['generationConfig']) ? config['generationConfig'] : {}
  const { generationConfig: _, ...own } = config
  return Object.fromEntries(
    Object.entries({ ...own, ...inner }).map(([name, value]) => [GEMINI_NAMES[name] ?? name, value]),
  )
}

/** Any provider of the AI SDK. */
function withPackage(
  name: string,
  model: string,
  config: Config,
  names: string[],
  settings: Config,
  also: string[],
): Mapped {
  const options = { package: name, model, ...(Object.keys(settings).length > 0 && { settings }) }
  return { ...mapped('ai-sdk', config, names, options, also), note: `it is reached with ${name}: npm install ${name}` }
}

function mapped(
  type: string,
  config: Config,
  names: string[],
  options: Record<string, unknown>,
  also: string[] = [],
): Mapped {
  const given = names.filter((name) => isPlain(config[name]))
  const parameters = Object.fromEntries(given.map((name) => [name, config[name]]))
  const used = ['apiBaseUrl', 'apiHost'].filter(
    (name) => options['host'] !== undefined && options['host'] === config[name],
  )
  const keyed = options['key'] === `$ENV.${String(config['apiKeyEnvar'])}` ? ['apiKeyEnvar'] : []
  const isNamed = config['model'] !== undefined && config['model'] === options['model'] ? ['model'] : []
  return {
    connector: { type, options: { ...options, ...parameters } },
    taken: [...given, ...used, ...keyed, ...isNamed, ...also],
  }
}

function rename(config: Config, from: string, to: string): Config {
  return config[from] === undefined || !isPlain(config[from]) ? {} : { [to]: config[from] }
}

function hostOf(config: Config): Config {
  const host = textOf(config['apiBaseUrl']) ?? textOf(config['apiHost'])
  return host === undefined ? {} : { host }
}

const NOT_A_CONVERSATION =
  /^(?:embedding|embeddings|image|assistant|realtime|moderation|video|transcription|tts|chatkit)$/

function modelOf(rest: string[], kinds: string[], config: Config): string {
  const [kind = ''] = rest
  if (NOT_A_CONVERSATION.test(kind)) throw new Error(`${kind} is not a conversation with a model`)
  const model = (kinds.includes(kind) ? rest.slice(1) : rest).join(':')
  const named = model === '' ? textOf(config['model']) : model
  if (named === undefined || named === '') throw new Error('it names no model')
  return named
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
