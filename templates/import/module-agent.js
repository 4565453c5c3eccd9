// Asks the provider in __FILE__ as promptfoo does.
import * as exported from '__FILE__'

const Provider = exported.default ?? exported
const about = { id: '__ID__', config: __CONFIG__ }
const provider = typeof Provider === 'function' ? new Provider(about) : Provider

export async function run(messages, { metadata: vars }, { signal }) {
  const prompt = messages.length === 1 ? messages[0].content : JSON.stringify(messages)
  const context = { vars, prompt: { raw: prompt, label: prompt } }
  const { output, error } = await provider.callApi(prompt, context, { abortSignal: signal })
  if (error) throw new Error(error)
  return typeof output === 'string' ? output : JSON.stringify(output)
}
