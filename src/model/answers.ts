// What the agent answered: once, or in each turn.
import type { ResultEvent } from './event.js'

export function answersOf(event: ResultEvent): unknown[] {
  if (event.turns && event.turns.length > 0) return event.turns.map((turn) => turn.output)
  const answer = event.output ?? event.response
  return answer === undefined ? [] : [answer]
}

/** A number for the answers: different ones hardly ever share it. Spacing does not count. */
export function answersKey(event: ResultEvent): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c]
  const text = answersOf(event).map(textOf).join('\0')
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
}

function textOf(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')
  return text.replaceAll(/\s+/g, ' ').trim()
}
