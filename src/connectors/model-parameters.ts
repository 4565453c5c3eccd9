// Which of an agent's options are meant for the model. Unknown ones go through: providers have many of their own.

const NOT_FOR_THE_MODEL = new Set([
  'connector',
  'skip',
  'search',
  'mode',
  'metadata',
  'disable_global_prompts',
  'messages',
  'stream',
  'signal',
])

export function modelParameters(options: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const key in options) {
    const value = options[key]
    if (!NOT_FOR_THE_MODEL.has(key) && value !== undefined && value !== null) result[key] = value
  }
  return result
}
