import { expect, test } from 'vitest'
import type { ResultEvent } from '../../model/event.js'
import { PromptKeeper } from './prompt-keeper.js'

const result = (...prompts: string[]): ResultEvent => ({
  type: 'result',
  run_id: 'r',
  id: 'T1',
  run: 1,
  status: 'passed',
  duration_ms: 1,
  trace: prompts.map((content) => ({ kind: 'model', name: 'm', sent: [{ role: 'system', content }] })),
})
const sentIn = (event: unknown) => (event as ResultEvent).trace?.map((step) => step.sent?.[0])
const long = (name: string) => `${name} ${'rule '.repeat(200)}`

test('a long prompt is written once, before the first result that names it', () => {
  const keeper = new PromptKeeper((text) => text)
  const [prompt, first] = keeper.withPrompts(result(long('a'), long('a')))
  expect(prompt).toMatchObject({ type: 'prompt', text: long('a') })
  const id = prompt?.type === 'prompt' ? prompt.id : ''
  expect(sentIn(first)).toEqual([
    { role: 'system', prompt: id },
    { role: 'system', prompt: id },
  ])
  expect(keeper.withPrompts(result(long('a')))).toHaveLength(1)
})

test('a short prompt stays where it is', () => {
  const event = result('Be polite.')
  expect(new PromptKeeper((text) => text).withPrompts(event)).toEqual([event])
})

test('the id says nothing of what is hidden in the prompt', () => {
  const hide = (text: string) => text.replace(/key-\d/, '[hidden]')
  const ids = ['key-1', 'key-2'].map((key) => {
    const [prompt] = new PromptKeeper(hide).withPrompts(result(long(key)))
    return prompt?.type === 'prompt' && prompt.id
  })
  expect(ids[0]).toBe(ids[1])
})

test('an agent with another prompt in every case does not fill the memory, nor the file', () => {
  const keeper = new PromptKeeper((text) => text)
  const events = Array.from({ length: 200 }, (_item, index) =>
    keeper.withPrompts(result(`${index} ${'x'.repeat(9000)}`)),
  )
  expect(events.flat().filter((event) => event.type === 'prompt')).toHaveLength(50)
  expect(String(sentIn(events.at(-1)?.at(-1))?.[0]?.content).length).toBeLessThan(5000)
})
