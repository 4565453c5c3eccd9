// One streamed call of a model without any package: the deltas of its answer.
export async function ask(messages) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: JSON.stringify({ model: 'gpt', messages, stream: true }),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(body)
  const events = body.split('\n').filter((line) => line.startsWith('data: {'))
  return events.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta ?? {})
}

/** Two calls, the second with what the first told it to look up. */
export async function converse(messages) {
  const [call] = (await ask(messages)).flatMap(({ tool_calls }) => tool_calls ?? [])
  const told = [...messages, { role: 'tool', tool_call_id: call.id, content: 'rain' }]
  return (await ask(told)).map(({ content }) => content ?? '').join('')
}
