// Anything that can answer can play the user: a package, a script, a module, a program; with what each of them receives.
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const AGENT = `
export default (messages) => {
  const said = messages.filter((message) => message.role === 'user').length
  if (said === 2) return { content: 'Is that all?', tool_calls: [{ name: 'note', args: { n: said }, result: { ok: true } }] }
  return said === 3 ? 'Goodbye.' : 'What else?'
}
`

const FILES = {
  'app.yao': '{}',
  'agent.mjs': AGENT,
  'user.mjs': `
import { writeFileSync } from 'node:fs'
export default (messages, ctx, options) => {
  writeFileSync('told-' + ctx.metadata.turn_number + '.json', JSON.stringify({ messages, ctx, options }))
  return { input: 'module ' + ctx.metadata.turn_number }
}
export const plain = () => 'just some words'
export const talker = (messages) => ({ input: messages.length + ' messages, the last by ' + messages.at(-1).role })
export const eager = () => ({ goal_achieved: true })
export const rambling = () => ({ content: { thoughts: 'hm' } })
export const vague = () => ({ content: { input: 'x', goal_achieved: 'maybe' } })
`,
  'scripts/sim.ts': `export function next({ turn_number, goal }) { return { input: 'script ' + turn_number + ' wants ' + goal } }`,
  'program.mjs': `
let text = ''
process.stdin.on('data', (data) => (text += data)).on('end', () => {
  const { messages } = JSON.parse(text)
  const { turn_number } = JSON.parse(messages.at(-1).content)
  console.log(JSON.stringify({ input: 'program ' + turn_number, goal_achieved: false }))
})
`,
}

const ENDS = [{ id: 'ends', assertion: { type: 'contains', value: 'Goodbye' } }]

async function played(cases: object[], args: string[] = []) {
  const cwd = makeFolder({ ...FILES, 'cases.jsonl': cases })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json', ...args], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results, run.stderr).toHaveLength(cases.length)
  return { results, cwd }
}

test('a script, a module, a program and plain words', async () => {
  const simulator = (use: string) => ({ simulator: { use, metadata: { goal: 'g' } }, checkpoints: ENDS })
  const { results } = await played([
    { id: 'script', ...simulator('scripts:sim.next') },
    { id: 'module', ...simulator('./user.mjs') },
    { id: 'program', ...simulator('exec:node program.mjs') },
    { id: 'plain', ...simulator('./user.mjs#plain') },
    {
      id: 'messages',
      simulator: { use: './user.mjs#talker', metadata: { style: 'messages' } },
      input: 'Hi',
      checkpoints: ENDS,
    },
  ])
  const inputs = (id: string): unknown[] => {
    const turns = results.find((result) => result['id'] === id)?.['turns'] as Array<{ input: unknown }>
    return turns.map((turn) => turn.input)
  }
  for (const result of results) expect(result).toMatchObject({ status: 'passed', total_turns: 3 })
  expect(inputs('script')).toEqual(['script 1 wants g', 'script 2 wants g', 'script 3 wants g'])
  expect(inputs('module')).toEqual(['module 1', 'module 2', 'module 3'])
  expect(inputs('program')).toEqual(['program 1', 'program 2', 'program 3'])
  expect(inputs('plain')).toEqual(['just some words', 'just some words', 'just some words'])
  expect(inputs('messages')).toEqual(['Hi', '2 messages, the last by assistant', '6 messages, the last by assistant'])
})

test('it is told who it is, what was said and done, and what is still missing', async () => {
  const { cwd } = await played([
    {
      id: 'told',
      simulator: {
        use: './user.mjs',
        options: { metadata: { persona: 'New employee', goal: 'Submit', mood: 'sunny', max_turns: 7 } },
      },
      checkpoints: [{ id: 'asks', assertion: { type: 'contains', value: 'else' } }, ...ENDS],
    },
  ])
  const told = JSON.parse(readFileSync(join(cwd, 'told-3.json'), 'utf8')) as {
    messages: Array<{ content: string }>
    ctx: { metadata: object; referer: string; chat_id: string }
    options: { metadata: { session_id: string }; skip: object }
  }
  const data = {
    test_mode: 'simulator',
    test_id: 'told',
    persona: 'New employee',
    goal: 'Submit',
    mood: 'sunny',
    turn_number: 3,
    turn_count: 2,
    max_turns: 7,
    last_response: 'Is that all?',
    tool_results: { note: { ok: true } },
    checkpoints_reached: ['asks'],
    checkpoints_pending: ['ends'],
  }
  expect(told.ctx).toMatchObject({ referer: 'agent-test', metadata: data })
  expect(told.options).toMatchObject({ metadata: data, skip: { history: true } })
  expect(told.messages).toHaveLength(1)
  const said = JSON.parse(told.messages[0]?.content ?? '') as { conversation: Array<{ role: string }> }
  expect(said).toMatchObject(data)
  expect(said.conversation.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'assistant',
  ])
  expect(told.options.metadata.session_id).not.toBe(told.ctx.chat_id)
})

test('a simulator that cannot be used is its own error, in either mode', async () => {
  const dynamic = (id: string, use: string) => ({ id, simulator: { use }, checkpoints: ENDS })
  const { results } = await played([
    dynamic('eager', './user.mjs#eager'),
    dynamic('rambling', './user.mjs#rambling'),
    dynamic('vague', './user.mjs#vague'),
    { id: 'turns', turns: [{ input: 'Hi' }], simulator: { use: './user.mjs#rambling' } },
    { id: 'ends', turns: [{ input: 'Hi' }], simulator: { use: './user.mjs#rambling' }, on_missing_input: 'end' },
  ])
  const of = (id: string) => results.find((result) => result['id'] === id)
  for (const [id, text] of [
    ['eager', 'it says the goal is achieved before the first message'],
    ['rambling', `the simulator's answer is not {"input", "goal_achieved"}: {"thoughts":"hm"}`],
    ['vague', 'has a "goal_achieved" that is neither true nor false'],
  ] as const) {
    expect(of(id)).toMatchObject({ status: 'failed', error_kind: 'simulator' })
    expect(of(id)?.['error']).toMatch(/^simulator error: /)
    expect(of(id)?.['error']).toContain(text)
  }
  expect(of('turns')).toMatchObject({ status: 'skipped', skip_reason: 'simulator error', error_kind: 'simulator' })
  expect(of('ends')).toMatchObject({ status: 'skipped', skip_reason: 'simulator error' })
})

test('--simulator is for cases that name none', async () => {
  const { results } = await played(
    [
      { id: 'none', simulator: {}, checkpoints: ENDS },
      { id: 'own', simulator: { use: 'scripts:sim.next' }, checkpoints: ENDS },
      { id: 'turns', turns: [{ input: 'Hi' }], final_assertions: [{ type: 'contains', value: 'Goodbye' }] },
    ],
    ['--simulator', 'agents:./user.mjs#plain'],
  )
  expect(results).toMatchObject([
    { id: 'none', status: 'passed', simulator: './user.mjs#plain' },
    { id: 'own', status: 'passed', simulator: 'scripts:sim.next' },
    { id: 'turns', status: 'passed', turns: [{ input_source: 'static' }, { input_source: 'simulator' }, {}] },
  ])
})

test('a path in a case file leads from the file, wherever the command is run', async () => {
  const turns = [{ input: 'hi' }]
  const judge = { type: 'agent', use: './people.mjs#judge', value: 'is polite' }
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'tests/people.mjs': `export const user = () => ({ input: 'from beside', goal_achieved: true })
      export const judge = () => ({ content: { passed: true } })`,
    'tests/cases.jsonl': [{ id: 'a', turns, simulator: { use: './people.mjs#user' }, final_assertions: [judge] }],
  })
  const run = await viva(['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs', '--json'], { cwd })
  const [result] = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(result, run.stderr).toMatchObject({ status: 'passed', turns: [{ input: 'hi' }, { input: 'from beside' }] })
})

test('a simulator that does not exist is not a reason to skip', async () => {
  const turns = [{ input: 'hi' }]
  for (const use of ['nobody', 'scripts:sim.nobody']) {
    const cwd = makeFolder({ ...FILES, 'cases.jsonl': [{ id: 'a', turns }] })
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--simulator', use], { cwd })
    expect([run.code, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain('nobody')
    expect(run.stderr).toContain('error: --simulator: ')
  }
  // One that is gone when it is needed.
  const cwd = makeFolder({
    ...FILES,
    'sim.sh': '#!/bin/sh\necho more\n',
    'agent.mjs': `import { rmSync } from 'node:fs'
export default () => { rmSync('sim.sh'); return { content: 'And then?', awaiting_input: true } }`,
    'cases.jsonl': [{ id: 'a', turns, simulator: { use: 'exec:./sim.sh' } }],
  })
  chmodSync(join(cwd, 'sim.sh'), 0o755)
  const gone = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json'], { cwd })
  const [result] = parseEvents(gone.stdout).filter((event) => event.type === 'result')
  expect(result, gone.stderr).toMatchObject({ status: 'failed', error_kind: 'simulator' })
  expect(gone.code).toBe(1)
})
