// Whose key a connector holds, judging by its file: a key must never reach another vendor's host.
import { readString } from '../base/record.js'
import type { ConnectorFile } from './types.js'

interface Vendor {
  name: string
  /** In ids, names of variables, models and packages. */
  words: string
  /** How its keys begin. */
  key?: string
}

const VENDORS: Vendor[] = [
  // Weights that others serve do not point to OpenAI.
  { name: 'OpenAI', words: 'openai|chatgpt|gpt(?!-oss)' },
  { name: 'Anthropic', words: 'anthropic|claude', key: 'sk-ant-' },
  { name: 'Google', words: 'google|gemini|vertex', key: 'AIza' },
  { name: 'Azure', words: 'azure' },
  { name: 'AWS', words: 'aws|bedrock' },
  { name: 'DeepSeek', words: 'deepseek' },
  { name: 'Moonshot', words: 'moonshot|kimi' },
  { name: 'Alibaba', words: 'alibaba|dashscope|bailian|qwen' },
  { name: 'Zhipu', words: 'zhipu|bigmodel|glm' },
  { name: 'MiniMax', words: 'minimax' },
  { name: 'ByteDance', words: 'bytedance|volc|doubao' },
  { name: 'Baidu', words: 'baidu|qianfan|ernie' },
  { name: 'Tencent', words: 'tencent|hunyuan' },
  { name: 'StepFun', words: 'stepfun' },
  { name: 'SiliconFlow', words: 'siliconflow' },
  { name: 'Mistral', words: 'mistral|mixtral|codestral' },
  { name: 'Groq', words: 'groq', key: 'gsk_' },
  { name: 'xAI', words: 'xai|grok', key: 'xai-' },
  { name: 'OpenRouter', words: 'openrouter', key: 'sk-or-' },
  { name: 'Together', words: 'together' },
  { name: 'Fireworks', words: 'fireworks', key: 'fw_' },
  { name: 'Perplexity', words: 'perplexity|pplx', key: 'pplx-' },
  { name: 'Cohere', words: 'cohere' },
  { name: 'Cerebras', words: 'cerebras', key: 'csk-' },
  { name: 'NVIDIA', words: 'nvidia', key: 'nvapi-' },
  { name: 'Hugging Face', words: 'huggingface', key: 'hf_' },
  { name: 'Hyperbolic', words: 'hyperbolic' },
  { name: 'Novita', words: 'novita' },
  { name: 'GitHub', words: 'github', key: 'ghp_' },
  { name: 'Ollama', words: 'ollama' },
]

/** What speaks for a vendor: `the variable DEEPSEEK_API_KEY`. */
export interface Sign {
  vendor: string
  sign: string
}

/** Evidence from the key: its first letters, and the variable it is in. */
export function signsOfKey(file: ConnectorFile): Sign[] {
  const key = readString(file.options['key']) ?? ''
  const variable = file.variables?.['key']
  const form = VENDORS.filter((vendor) => vendor.key !== undefined && key.startsWith(vendor.key))
  return [
    ...form.map(({ name }) => ({ vendor: name, sign: `its key starts like ${name}'s` })),
    ...signsIn(variable, `its key is in ${variable}`),
  ]
}

/** An id is freely chosen (`github.review`): it only counts if the key itself says nothing. */
export function signsOfVendor(file: ConnectorFile): Sign[] {
  const key = signsOfKey(file)
  const model = readString(file.options['model'])
  // `vendor/model` is how resellers name models: it does not say whose key it is.
  const own = model === undefined || model.includes('/') ? [] : signsIn(model, `its model is ${model}`)
  const reasoning = model !== undefined && /^o\d(?:$|-)/.test(model)
  return [
    ...key,
    ...(key.length > 0 ? [] : signsIn(file.id, `its id is ${file.id}`)),
    ...own,
    ...(reasoning ? [{ vendor: 'OpenAI', sign: `its model is ${model}` }] : []),
  ]
}

export function signsIn(text: string | undefined, sign: string): Sign[] {
  if (text === undefined) return []
  const lower = text.toLowerCase()
  return VENDORS.filter(({ words }) => new RegExp(`(?:^|[^a-z])(?:${words})`).test(lower)).map(({ name }) => ({
    vendor: name,
    sign,
  }))
}
