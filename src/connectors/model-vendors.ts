// `openai:gpt-5-mini`: a model by its vendor, without any file. One table: how the vendor is spelled, how it is spoken to,
// where it is, and which variables hold its address and key.
import { suggest } from '../base/suggest.js'

export interface ModelVendor {
  prefix: string
  /** As `vendors.ts` calls it, by which keys are recognised. */
  name: string
  /** Of its connector. */
  type: string
  host: string
  /** The variable with another address. */
  hostVariable: string
  /** The variables with its key, the usual one first; none: it takes no key. */
  keyVariables: readonly string[]
}

type Row = [prefix: string, name: string, type: string, host: string, hostVariable: string, ...keyVariables: string[]]

const ROWS: readonly Row[] = [
  ['openai', 'OpenAI', 'openai-responses', 'https://api.openai.com/v1', 'OPENAI_BASE_URL', 'OPENAI_API_KEY'],
  ['openai-chat', 'OpenAI', 'openai', 'https://api.openai.com/v1', 'OPENAI_BASE_URL', 'OPENAI_API_KEY'],
  ['anthropic', 'Anthropic', 'anthropic', 'https://api.anthropic.com', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'],
  [
    'google',
    'Google',
    'google',
    'https://generativelanguage.googleapis.com',
    'GOOGLE_GEMINI_BASE_URL',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
  ],
  ['ollama', 'Ollama', 'openai', 'http://127.0.0.1:11434', 'OLLAMA_HOST'],
  compatible('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1'),
  compatible('groq', 'Groq', 'https://api.groq.com/openai/v1'),
  compatible('mistral', 'Mistral', 'https://api.mistral.ai/v1'),
  compatible('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1'),
  compatible('xai', 'xAI', 'https://api.x.ai/v1'),
  compatible('together', 'Together', 'https://api.together.xyz/v1'),
  compatible('fireworks', 'Fireworks', 'https://api.fireworks.ai/inference/v1'),
  compatible('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1'),
  compatible('perplexity', 'Perplexity', 'https://api.perplexity.ai/chat/completions'),
  compatible('moonshot', 'Moonshot', 'https://api.moonshot.ai/v1'),
  compatible('nvidia', 'NVIDIA', 'https://integrate.api.nvidia.com/v1'),
  compatible('hyperbolic', 'Hyperbolic', 'https://api.hyperbolic.xyz/v1'),
  compatible('novita', 'Novita', 'https://api.novita.ai/openai/v1'),
  ['github', 'GitHub', 'openai', 'https://models.github.ai/inference', 'GITHUB_MODELS_BASE_URL', 'GITHUB_TOKEN'],
]

export const MODEL_VENDORS: readonly ModelVendor[] = ROWS.map(
  ([prefix, name, type, host, hostVariable, ...keyVariables]) => ({
    prefix,
    name,
    type,
    host,
    hostVariable,
    keyVariables,
  }),
)

/** Chat completions, with variables named after the vendor. */
function compatible(prefix: string, name: string, host: string): Row {
  const word = prefix.toUpperCase()
  return [prefix, name, 'openai', host, `${word}_BASE_URL`, `${word}_API_KEY`]
}

export interface NamedModel {
  vendor: ModelVendor
  /** Everything behind the first colon: `llama3:8b`, `meta/llama`. */
  model: string
}

/** Undefined unless the text begins with a vendor. */
export function parseModel(text: string): NamedModel | undefined {
  const [prefix, model] = split(text)
  const vendor = MODEL_VENDORS.find((each) => each.prefix === prefix)
  return vendor && { vendor, model }
}

/** What a text was probably meant to be: `opnai:gpt-5` → `openai:gpt-5`. */
export function suggestModel(text: string): string | undefined {
  const [prefix, model] = split(text)
  if (model === '') return undefined
  const near = suggest(
    prefix,
    MODEL_VENDORS.map((each) => each.prefix),
  )
  return near === undefined ? undefined : `${near}:${model}`
}

function split(text: string): [prefix: string, model: string] {
  const at = text.indexOf(':')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
