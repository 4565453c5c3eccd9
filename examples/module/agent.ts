// Three agents in one module, each with another kind of answer.

interface Message {
  role: string
  content: string
}

interface Context {
  locale: string
  authorized: { user_id: string }
}

/** A text. */
export function greet(messages: Message[], ctx: Context): string {
  const name = /I am (\w+)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? ctx.authorized.user_id
  return ctx.locale === 'de-de' ? `Guten Tag, ${name}!` : `Hello, ${name}!`
}

/** A reply: what was done, what it cost, and whether something is still missing. */
export async function order(messages: Message[]) {
  const said = messages.filter((message) => message.role === 'user').map((message) => message.content)
  const size = /small|large/.exec(said.at(-1) ?? '')?.[0]
  const spent = { usage: { input_tokens: 12, output_tokens: 4 }, cost_dollars: 0.002 }
  if (!size) return { content: 'Small or large?', awaiting_input: true, input_hint: 'small or large', ...spent }
  return {
    content: { drink: 'tea', size },
    tool_calls: [{ name: 'brew', args: { drink: 'tea', size }, result: 'done' }],
    ...spent,
  }
}

/** Chunks, as they come. */
export async function* tell(messages: Message[], _ctx: Context, { signal }: { signal: AbortSignal }) {
  for (const word of ['Once', 'upon', 'a', messages.at(-1)?.content ?? '']) {
    if (signal.aborted) return
    yield `${word} `
  }
  yield { usage: { input_tokens: 3, output_tokens: 4 } }
}
