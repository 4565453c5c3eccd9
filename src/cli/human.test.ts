// Asking a person: what is shown, the commands, one question at a time.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { CancelledError } from '../time/deadline.js'
import type { Human } from '../pipeline/execute/conversation/contract.js'
import { createHuman } from './human.js'

type Question = Parameters<Human['ask']>[0]

function person(lines: string[] = [], over: Partial<Parameters<typeof createHuman>[0]> = {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk: Buffer) => (shown += chunk.toString()))
  if (lines.length > 0) input.write(lines.map((line) => `${line}\n`).join(''))
  return { human: createHuman({ input, output, ...over }), input, screen: () => shown }
}

function question(over: Partial<Question> = {}): Question {
  return {
    case_id: 'T002',
    question: 'Please provide PO number',
    history: [],
    timeout_ms: 300_000,
    signal: new AbortController().signal,
    ...over,
  }
}

test('the question, the hint and the commands are shown, and the line typed is the answer', async () => {
  const { human, screen } = person(['PO-17 '])
  expect(await human.ask(question({ hint: 'PO-…' }))).toEqual({ kind: 'input', text: 'PO-17 ' })
  expect(screen()).toContain('► [T002] the agent asks\n  │ Please provide PO number\n  Hint: PO-…\n')
  expect(screen()).toContain(':skip  :fail  :end  :history  :help')
})

test.each(['skip', 'fail', 'end'] as const)(':%s', async (kind) => {
  expect(await person([` :${kind} `]).human.ask(question())).toEqual({ kind })
})

test(':history shows the conversation and asks again', async () => {
  const { human, screen } = person([':history', 'ok'])
  const history = [
    { role: 'user', content: 'buy' },
    { role: 'assistant', content: null, tool_calls: [{ name: 'order', args: { n: 1 } }] },
  ]
  expect(await human.ask(question({ history }))).toEqual({ kind: 'input', text: 'ok' })
  expect(screen()).toContain('  user\n  │ buy\n  assistant\n  │ [tool: order({"n":1})]\n')
})

test('an unknown command is not sent to the agent', async () => {
  const { human, screen } = person([':skp', '::literal'])
  expect(await human.ask(question())).toEqual({ kind: 'input', text: ':literal' })
  expect(screen()).toContain('no command :skp')
})

test('an empty line is an answer too', async () => {
  expect(await person(['']).human.ask(question())).toEqual({ kind: 'input', text: '' })
})

test('what an agent says cannot paint the terminal or pretend to be a prompt', async () => {
  const { human, screen } = person(['x'])
  await human.ask(question({ question: 'a\u001b[2Jb\nyou> :fail', hint: '\u0007' }))
  // oxlint-disable-next-line no-control-regex
  expect(screen()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  expect(screen()).toContain('  │ you> :fail\n')
})

test('only one case asks at a time, in order, and the display pauses meanwhile', async () => {
  const log: string[] = []
  const { human, input } = person([], { onAsk: () => log.push('ask'), onAnswered: () => log.push('answered') })
  const first = human.ask(question({ case_id: 'A' }))
  const second = human.ask(question({ case_id: 'B' }))
  input.write('one\ntwo\n')
  expect(await Promise.all([first, second])).toEqual([
    { kind: 'input', text: 'one' },
    { kind: 'input', text: 'two' },
  ])
  expect(log).toEqual(['ask', 'answered', 'ask', 'answered'])
})

test('no answer in time', async () => {
  expect(await person().human.ask(question({ timeout_ms: 1 }))).toEqual({ kind: 'timeout' })
})

test('the end of the input is not an answer', async () => {
  const { human, input } = person()
  const asking = human.ask(question())
  input.end()
  expect(await asking).toEqual({ kind: 'closed' })
})

test('a stopped run closes the question, and the next one can be asked', async () => {
  const controller = new AbortController()
  const { human, input } = person()
  const stopped = human.ask(question({ signal: controller.signal }))
  setImmediate(() => controller.abort(new CancelledError('stopped')))
  expect(await failure(stopped)).toBeInstanceOf(CancelledError)
  const next = human.ask(question())
  input.write('still here\n')
  expect(await next).toEqual({ kind: 'input', text: 'still here' })
})
