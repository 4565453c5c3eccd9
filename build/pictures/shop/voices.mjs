// Three ways to answer the same questions, for variants; and two releases of one, for a comparison.
const FACTS = {
  return: ['30 days', 'Use the label in the box.'],
  warranty: ['2 years', 'Keep the receipt.'],
  delivery: ['2 days', 'You get a message when it leaves.'],
  express: ['tomorrow', 'Order before noon.'],
  voucher: ['12 months', 'It can be used in parts.'],
  exchange: ['free of charge', 'Tell us the new size.'],
  gift: ['free', 'Choose it at the checkout.'],
  pickup: ['any shop', 'Bring an ID.'],
}

function asked(messages) {
  return Object.keys(FACTS).find((topic) => messages.at(-1).content.includes(topic))
}

function reply(content) {
  const words = content.split(' ').length
  return { content, usage: { input_tokens: 48, output_tokens: Math.ceil(words * 1.3) } }
}

export function terse(messages) {
  const topic = asked(messages)
  return reply(topic === 'exchange' ? 'Ask in a shop.' : `${FACTS[topic][0]}.`)
}

export function friendly(messages) {
  const topic = asked(messages)
  return reply(`Good question! That is ${FACTS[topic][0]}. Happy to help.`)
}

export function thorough(messages) {
  const topic = asked(messages)
  return reply(`That is ${topic === 'voucher' ? '10 months' : FACTS[topic][0]}. ${FACTS[topic][1]}`)
}

const asks = new Map()

/** Forgets more in the second release: warranty always, delivery now and then. */
export function release(messages) {
  const topic = asked(messages)
  const count = (asks.get(topic) ?? 0) + 1
  asks.set(topic, count)
  const isNew = process.env.RELEASE === '2'
  if (isNew && topic === 'warranty') return reply('That depends on the article.')
  if (topic === 'delivery' && count % 5 === 0) return reply('Soon.')
  if (!isNew && topic === 'gift') return reply('We do not wrap gifts.')
  return reply(`${isNew ? 'Sure! ' : ''}That is ${FACTS[topic][0]}.`)
}

export const cases = Object.entries(FACTS).map(([topic, [fact]]) => ({
  id: topic,
  name: `Knows about ${topic}`,
  input: `What about ${topic}?`,
  assert: { type: 'contains', value: fact },
}))
