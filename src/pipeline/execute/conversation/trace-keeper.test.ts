import { expect, test } from 'vitest'
import type { TraceStep } from '../../../model/agent.js'
import type { Message } from '../../../model/message.js'
import { TraceKeeper } from './trace-keeper.js'

const system: Message = { role: 'system', content: 'Be polite.' }
const user = (content: string): Message => ({ role: 'user', content })
const said = (content: string): Message => ({ role: 'assistant', content })
const model = (sent: Message[], change: Partial<TraceStep> = {}): TraceStep => ({
  kind: 'model',
  name: 'm',
  sent,
  received: { content: 'ok' },
  ...change,
})
const sentIn = (steps: TraceStep[]) => steps.map(({ sent = [] }) => sent.map((message) => message.content))

test('each message is kept once: what a loop and later turns send again is only counted', () => {
  const keeper = new TraceKeeper()
  const asked: Message = { role: 'assistant', content: null, tool_calls: [{ name: 't', args: {}, id: 'c1' }] }
  const answered: Message = { role: 'tool', tool_call_id: 'c1', content: '42' }
  const first = [system, user('one')]
  const turn1 = keeper.keep([model(first), model([...first, asked, answered])], [asked, answered, said('It is 42.')])
  expect(sentIn(turn1)).toEqual([['Be polite.', 'one'], []])
  expect(turn1.map((step) => step.sent_before)).toEqual([undefined, 4])
  const turn2 = keeper.keep([model([...first, asked, answered, said('It is 42.'), user('two')])], [said('ok')])
  expect(sentIn(turn2)).toEqual([['two']])
  expect(turn2[0]?.sent_before).toBe(5)
})

test('what is answered is kept, even if it was said before', () => {
  const keeper = new TraceKeeper()
  keeper.keep([model([user('yes')])], [said('Sure?')])
  expect(sentIn(keeper.keep([model([user('yes'), said('Sure?'), user('yes')])]))).toEqual([['yes']])
})

test('tools are named when they change', () => {
  const keeper = new TraceKeeper()
  const steps = keeper.keep([['a'], ['a'], ['a', 'b']].map((tools) => model([user('x')], { tools })))
  expect(steps.map((step) => step.tools)).toEqual([['a'], undefined, ['a', 'b']])
})

test('texts are cut, pictures shortened, and a case has room for a limited number of them', () => {
  const keeper = new TraceKeeper()
  const picture = { type: 'image_url', image_url: `data:image/png;base64,${'A'.repeat(1e6)}` }
  const parts: Message = { role: 'user', content: [{ type: 'text', text: 'look' }, picture] }
  const [seen] = keeper.keep([model([parts])])
  expect(JSON.stringify(seen).length).toBeLessThan(3000)
  expect(JSON.stringify(seen?.sent)).toContain('"look"')
  expect(seen?.cut).toBe(true)
  const steps = Array.from({ length: 40 }, (_item, index) => model([user(`${index} ${'word '.repeat(10_000)}`)]))
  const all = keeper.keep(steps)
  expect(JSON.stringify(all).length).toBeLessThan(200_000)
  expect(all.every((step) => step.cut)).toBe(true)
  expect(all.at(-1)?.sent).toEqual([{ role: 'user' }])
})

test('what a hook returned is kept, other steps are as they were', () => {
  const tool: TraceStep = { kind: 'tool', name: 't', detail: { args: {} } }
  const hook: TraceStep = { kind: 'hook', name: 'Create', returned: { metadata: { a: 1 } } }
  expect(new TraceKeeper().keep([hook, tool])).toEqual([hook, tool])
})
