import { expect, test } from 'vitest'
import { failure } from '../../../test/support/agent-request.js'
import { collectAnswer } from './collect-answer.js'

const MEGABYTE = 'x'.repeat(1024 * 1024)
const signal = new AbortController().signal

async function* pieces(count: number): AsyncGenerator {
  for (let made = 0; made < count; made++) yield MEGABYTE
}

for (const [kind, answer] of [
  ['chunks', pieces],
  ['the texts of an SDK', (count: number) => ({ textStream: pieces(count) })],
] as const) {
  test(`${kind}: the limit on a stream is 16 MB, and nobody is asked for more`, async () => {
    const heard: string[] = []
    const whole = await collectAnswer(answer(16), () => {}, signal)
    expect(whole.content).toHaveLength(16 * 1024 * 1024)
    const error = await failure(collectAnswer(answer(100), (text) => heard.push(text), signal))
    expect(error).toMatchObject({ code: 'too_large' })
    expect(heard).toHaveLength(16)
  })
}
