// Adds up the numbers of the conversation. Messages come in as JSON on standard input, the reply goes out as JSON.
let text = ''
for await (const chunk of process.stdin) text += chunk
const { messages, context } = JSON.parse(text)
const said = messages.filter((message) => message.role === 'user').map((message) => message.content)
const numbers = said.join(' ').match(/-?\d+/g) ?? []
if (numbers.length === 0) {
  console.error('no numbers to add')
  process.exit(3)
}
const sum = numbers.reduce((total, number) => total + Number(number), 0)
const reply = {
  content: `The sum is ${sum}.`,
  tool_calls: [{ name: 'add', args: { numbers: numbers.map(Number) }, result: sum }],
  usage: { input_tokens: numbers.length, output_tokens: 1 },
  next: { sum, for: context.authorized.user_id },
}
console.log(JSON.stringify(reply))
