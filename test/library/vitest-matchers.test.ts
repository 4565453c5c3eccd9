// `viva/vitest` inside a real vitest: what must fail does, in words that help.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, ROOT } from '../support/run-cli.js'
import { shell } from '../support/shell.js'

const TESTS = `
import 'viva/vitest'
import { expect, test } from 'vitest'
const agent = () => ({ content: 'A room in Rome', tool_calls: [{ name: 'book', args: { city: 'Rome', nights: 2 } }] })
const broken = () => { throw new Error('no model') }

test('passes: case', () => expect({ input: 'x', assert: { type: 'contains', value: 'Rome' } }).toPassCase(agent))
test('passes: not case', () => expect({ input: 'x', assert: { type: 'contains', value: 'Oslo' } }).not.toPassCase(agent))
test('passes: tool', () => expect(agent()).toCallTool('book', { nights: { $gt: 1 } }))
test('passes: not tool', () => expect(agent()).not.toCallTool('pay'))
test('passes: evidence', () => expect({ output: 'x', tool_calls: [] }).not.toCallTool('pay'))
test('passes: satisfy', () => expect('A room').toSatisfy(['contains', 'regex'].map((type) => ({ type, value: 'room' }))))
test('passes: not satisfy', () => expect('A room').not.toSatisfy({ type: 'contains', value: 'house' }))
test('passes: function', () => { expect(3).toSatisfy((x) => x === 3); expect(3).not.toSatisfy((x) => x === 4) })

test('fails: case', () => expect({ input: 'x', assert: { type: 'contains', value: 'Oslo' } }).toPassCase(agent))
test('fails: not case', () => expect({ input: 'x', assert: { type: 'contains', value: 'Rome' } }).not.toPassCase(agent))
test('fails: broken agent', () => expect({ input: 'x', assert: { type: 'contains', value: 'Rome' } }).toPassCase(broken))
test('fails: not broken agent', () => expect({ input: 'x', assert: { type: 'contains', value: 'Rome' } }).not.toPassCase(broken))
test('fails: skipped', () => expect({ input: 'x', skip: true, skip_reason: 'later' }).toPassCase(agent))
test('fails: bad case', () => expect({ input: 'x', assert: { type: 'contain', value: 'Rome' } }).not.toPassCase(agent))
test('fails: tool', () => expect(agent()).toCallTool('book', { nights: 3 }))
test('fails: not tool', () => expect(agent()).not.toCallTool('book'))
test('fails: not tool of a text', () => expect('A room').not.toCallTool('book'))
test('fails: not tool of a promise of a text', () => expect(Promise.resolve('A room')).not.toCallTool('book'))
test('fails: not tool of data', () => expect({ rooms: 3 }).not.toCallTool('book'))
test('fails: not tool of nothing', () => expect({}).not.toCallTool('book'))
test('fails: no calls in data', () => expect([{ room: 3 }]).toSatisfy({ type: 'tool_not_called', name: 'book' }))
test('fails: not rejected', () => expect(Promise.reject(new Error('no model'))).not.toSatisfy({ type: 'contains', value: 'x' }))
test('fails: arguments that are undefined', () => expect(agent()).toCallTool('book', { city: undefined }))
test('fails: a case whose check is undefined', () => expect({ input: 'x', assert: undefined }).toPassCase(agent))
test('passes: not tool of a message', () => expect({ role: 'assistant', content: 'A room' }).not.toCallTool('book'))
test('passes: not tool of a promise', () => expect(Promise.resolve(agent())).not.toCallTool('pay'))
test('passes: satisfy data', () => expect({ rooms: 3 }).toSatisfy({ type: 'json_path', path: 'rooms', value: 3 }))
test('fails: satisfy', () => expect('A room').toSatisfy({ type: 'contains', value: 'house' }))
test('fails: not there', () => expect('{"a": 1}').not.toSatisfy({ type: 'json_path', path: 'b', value: 1 }))
test('fails: nothing', () => expect('').not.toSatisfy({ type: 'contains', value: 'x' }))
test('fails: no assertion', () => expect('A room').toSatisfy([]))
test('fails: function', () => { expect(3).toSatisfy((x) => x === 4) })
test('fails: promise', () => expect(3).toSatisfy(async (x) => x === 4))
test('fails: thenable', () => expect(3).toSatisfy(() => ({ then: (done) => done(false) })))
test('fails: promise not awaited', () => { expect(3).toSatisfy(() => new Promise(() => {})) })
test('fails: not awaited', () => { expect('A room').toSatisfy({ type: 'contains', value: 'room' }) })
`

interface Report {
  testResults: Array<{ assertionResults: Array<{ title: string; status: string; failureMessages: string[] }> }>
}

test('the matchers hold, both ways', async () => {
  const cwd = makeFolder({ 'agent.test.ts': TESTS, 'package.json': { type: 'module' } })
  mkdirSync(join(cwd, 'node_modules'))
  for (const [name, target] of [
    ['viva', ROOT],
    ['vitest', join(ROOT, 'node_modules/vitest')],
  ] as const)
    symlinkSync(target, join(cwd, 'node_modules', name))
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const { code, stdout, stderr } = await shell(`${process.execPath} ${vitest} run --reporter=json`, { cwd })
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(tests, stderr).toHaveLength(36)
  for (const { title, status, failureMessages } of tests)
    expect([title, status], failureMessages.join('\n')).toEqual([
      title,
      title.startsWith('passes') ? 'passed' : 'failed',
    ])
  expect(code).toBe(1)
  const message = (title: string): string => tests.find((each) => each.title === title)?.failureMessages[0] ?? ''
  expect(message('fails: case')).toMatch('output does not contain "Oslo"')
  expect(message('fails: not broken agent')).toMatch('could not be judged: agent error: no model')
  expect(message('fails: skipped')).toMatch('later')
  expect(message('fails: not tool of a text')).toMatch('reads tool_calls, which is not given')
  expect(message('fails: not there')).toMatch('nothing was shown')
  expect(message('fails: not awaited')).toMatch('toSatisfy was not awaited')
})
