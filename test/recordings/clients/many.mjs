// Many conversations in one process, each at an address that names its case: `node many.mjs Rome Oslo …`.
import OpenAI from 'openai'

const answers = await Promise.all(
  process.argv.slice(2).map(async (town) => {
    const baseURL = `${process.env.VIVA_PROXY_URL}/case/T-${encodeURIComponent(town)}/openai/v1`
    const client = new OpenAI({ baseURL })
    const messages = [{ role: 'user', content: `The weather in ${town}?` }]
    const { choices } = await client.chat.completions.stream({ model: 'gpt', messages }).finalChatCompletion()
    return choices[0].message.tool_calls[0].function.arguments
  }),
)
console.log(answers.join('\n'))
