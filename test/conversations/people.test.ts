// A person answers on the terminal: questions, hints, commands, time limits, and the test that is left behind.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

/** Asks for a number, then for a yes, then is done. */
const AGENT = `
export default (messages) => {
  const said = messages.filter((message) => message.role === 'user').map((message) => message.content)
  if (said.length === 1) return { content: 'Which PO number?', awaiting_input: true, input_hint: 'For example PO-17' }
  if (said.length === 2) return 'Shall I order with ' + said[1] + '?'
  return 'Ordered with ' + said[1] + '.'
}
`

const CASE = {
  id: 'order',
  name: 'An order',
  turns: [{ input: 'I need a desk', assertions: [{ type: 'contains', value: 'PO' }] }],
  final_assertions: [{ type: 'contains', value: 'Ordered' }],
  metadata: { shop: 'desks' },
}

function folder(cases: object[]): string {
  return makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
}

const BASE = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl']

function results(cwd: string): Array<Record<string, unknown>> {
  return parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).filter((event) => event.type === 'result')
}

test('a person is asked, sees the history, and leaves a test behind', async () => {
  const cwd = folder([CASE, { id: 'other', input: 'Hello', assert: { type: 'contains', value: 'PO' } }])
  const args = [...BASE, '--run', 'order', '--interactive', '--save-turns', 'saved.jsonl']
  const terminal = onTerminal(args, { cwd })
  await terminal.saw('► [order] the agent asks')
  await terminal.saw('│ Which PO number?')
  await terminal.saw('Hint: For example PO-17')
  await terminal.saw(':skip  :fail  :end  :history  :help')
  await terminal.saw('you> ')
  terminal.type(':histroy\r')
  await terminal.saw('no command :histroy; there are :skip')
  terminal.type(':help\r')
  await terminal.saw('::text    send a message that begins with a colon')
  terminal.type(':history\r')
  await terminal.saw('  user')
  await terminal.saw('│ I need a desk')
  await terminal.saw('  assistant')
  await terminal.saw('│ Which PO number?')
  await terminal.saw('you> ')
  terminal.type('::PO-17\r')
  await terminal.saw('│ Shall I order with :PO-17?')
  await terminal.saw('you> ')
  terminal.type('Yes\r')
  expect(await terminal.code).toBe(0)
  expect(terminal.screen()).toMatch(/✓ .*order/)
  expect(results(cwd)).toMatchObject([
    { status: 'passed', turns: [{ input_source: 'static' }, { input_source: 'human' }, { input_source: 'human' }] },
  ])

  const saved = readFileSync(join(cwd, 'saved.jsonl'), 'utf8')
  expect(
    saved
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    {
      ...CASE,
      turns: [...CASE.turns, { input: ':PO-17' }, { input: 'Yes' }],
      on_missing_input: 'end',
    },
  ])
  const again = await viva(['test', '-i', 'saved.jsonl', '-n', './agent.mjs', '--json'], { cwd })
  expect(again.code).toBe(0)
  expect(parseEvents(again.stdout).find((event) => event.type === 'result')).toMatchObject({
    status: 'passed',
    output: 'Ordered with :PO-17.',
    final_assertions: [{ passed: true }],
  })
})

test('--save-turns replaces nothing unless told to, and says so before anyone types', async () => {
  const cwd = folder([CASE])
  writeFileSync(join(cwd, 'saved.jsonl'), 'mine\n')
  symlinkSync('cases.jsonl', join(cwd, 'link.jsonl'))
  const refused = async (...args: string[]): Promise<string> => {
    const terminal = onTerminal([...BASE, '--interactive', ...args], { cwd })
    expect([await terminal.code, terminal.text()]).toEqual([2, expect.not.stringContaining('you> ')])
    expect(existsSync(join(cwd, 'out.jsonl'))).toBe(false)
    return terminal.text().replaceAll('\r\n', '\n')
  }
  const exists = await refused('--save-turns', 'saved.jsonl')
  expect(exists).toMatch(
    /saved\.jsonl already exists\n {2}hint: replace it \(--force\), or name another file with --save-/,
  )
  for (const name of ['cases.jsonl', './cases.jsonl', 'link.jsonl'])
    expect(await refused('--save-turns', name, '--force')).toContain(`cannot write ${name}: the cases are read from it`)
  expect(await refused('--save-turns', 'out.jsonl')).toContain('cannot write out.jsonl: -o writes to it')
  for (const name of ['turns.yaml', 'turns.json', 'turns'])
    expect(await refused('--save-turns', name)).toContain('hint: name it .jsonl, for example turns.jsonl')
  expect(readFileSync(join(cwd, 'cases.jsonl'), 'utf8')).toBe(`${JSON.stringify(CASE)}\n`)
  expect(readFileSync(join(cwd, 'saved.jsonl'), 'utf8')).toBe('mine\n')

  const forced = onTerminal([...BASE, '--interactive', '--save-turns', 'saved.jsonl', '--force'], { cwd })
  for (const answer of ['PO-17', 'Yes']) {
    await forced.saw('you> ')
    forced.type(`${answer}\r`)
  }
  expect(await forced.code).toBe(0)
  expect(JSON.parse(readFileSync(join(cwd, 'saved.jsonl'), 'utf8'))).toMatchObject({ id: 'order' })
})

test('a run that was stopped has saved its turns, and resumed it adds the rest', async () => {
  const cwd = folder(['first', 'second'].map((id) => ({ ...CASE, id })))
  const stopped = onTerminal([...BASE, '--interactive', '--save-turns', 'saved.jsonl'], { cwd })
  for (const answer of ['PO-1', 'Yes']) {
    await stopped.saw('you> ')
    stopped.type(`${answer}\r`)
  }
  await stopped.saw('► [second]')
  await stopped.saw('you> ')
  stopped.type('\u0003')
  expect(await stopped.code).toBe(130)
  const saved = (): unknown[] =>
    readFileSync(join(cwd, 'saved.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: unknown }).id)
  expect(saved()).toEqual(['first'])
  const resumed = onTerminal(['test', '--resume', 'out.jsonl'], { cwd })
  for (const answer of ['PO-2', 'Yes']) {
    await resumed.saw('you> ')
    resumed.type(`${answer}\r`)
  }
  expect(await resumed.code).toBe(0)
  expect(saved()).toEqual(['first', 'second'])
})

test('every way to end a question', async () => {
  const asking = { turns: [{ input: 'I need a desk' }], interactive: { enabled: true } }
  const cwd = folder([
    { id: 'skip', ...asking },
    { id: 'fail', ...asking },
    { id: 'end', ...asking, final_assertions: [{ type: 'contains', value: 'PO' }] },
    { id: 'late', ...asking, interactive: { enabled: true, timeout: '200ms' } },
    { id: 'closed', ...asking },
    { id: 'opens', turns: [{}], interactive: { enabled: true } },
  ])
  const terminal = onTerminal([...BASE, '--save-turns', 'saved.jsonl'], { cwd })
  for (const id of ['skip', 'fail', 'end']) {
    await terminal.saw(`► [${id}] the agent asks`)
    await terminal.saw('you> ')
    terminal.type(`:${id}\r`)
  }
  await terminal.saw('► [late] the agent asks')
  await terminal.saw('► [closed] the agent asks')
  await terminal.saw('you> ')
  terminal.type('\u0004')
  await terminal.saw('► [opens] say something to the agent')
  await terminal.saw('you> ')
  terminal.type(':skip\r')
  expect(await terminal.code).toBe(1)
  expect(results(cwd)).toMatchObject([
    { id: 'skip', status: 'skipped', skip_reason: 'skipped by a person' },
    { id: 'fail', status: 'failed', error: 'failed by a person' },
    { id: 'end', status: 'passed', total_turns: 1, final_assertions: [{ passed: true }] },
    { id: 'late', status: 'skipped', skip_reason: 'no answer from a person within 200ms' },
    { id: 'closed', status: 'skipped', skip_reason: 'no answer from a person' },
    { id: 'opens', status: 'skipped', skip_reason: 'skipped by a person' },
  ])
  expect(terminal.text()).toContain('saved.jsonl: not written: nobody took part in a conversation')
  expect(existsSync(join(cwd, 'saved.jsonl'))).toBe(false)
})

test('side by side, one case asks at a time and gets its own answers', async () => {
  const ids = ['first', 'second', 'third']
  const cwd = folder(ids.map((id) => ({ id, turns: [{ input: `I need a ${id}` }] })))
  const terminal = onTerminal([...BASE, '--interactive', '--parallel', '3', '--save-turns', 'saved.jsonl'], { cwd })
  for (let asked = 0; asked < 6; asked += 1) {
    await terminal.saw('► [')
    await terminal.saw('you> ')
    const id = /► \[(\w+)\] the agent asks(?!.*the agent asks)/s.exec(terminal.text())?.[1] ?? ''
    terminal.type(`PO-${id}\r`)
  }
  expect(await terminal.code).toBe(0)
  const done = results(cwd)
  expect(done.map((result) => String(result['id'])).toSorted()).toEqual(ids)
  for (const result of done) {
    const { id } = result
    expect(result).toMatchObject({ status: 'passed', output: `Ordered with PO-${String(id)}.` })
  }
  expect(readFileSync(join(cwd, 'saved.jsonl'), 'utf8').trim().split('\n')).toHaveLength(3)
})

test('Ctrl-C at the question stops the run: the case has no result', async () => {
  const cwd = folder([CASE])
  const terminal = onTerminal([...BASE, '--interactive'], { cwd })
  await terminal.saw('you> ')
  terminal.type('\u0003')
  expect(await terminal.code).toBe(130)
  expect(results(cwd)).toEqual([])
})

test('--skip-interactive asks nobody, even on a terminal', async () => {
  const cwd = folder([{ ...CASE, interactive: { enabled: true } }])
  const terminal = onTerminal([...BASE, '--skip-interactive'], { cwd })
  // Nothing was shown.
  expect(await terminal.code).toBe(1)
  expect(terminal.text()).not.toContain('you> ')
  expect(results(cwd)).toMatchObject([{ status: 'skipped' }])
})

test('without a terminal the same run skips, and says what could be done', async () => {
  const cwd = folder([{ ...CASE, interactive: { enabled: true } }])
  const run = await viva([...BASE, '--interactive', '--save-turns', 'saved.jsonl'], { cwd, stdin: 'PO-17\nYes\n' })
  expect(run.code).toBe(1)
  expect(run.stdout).toContain('✗ 1 not shown, 0 passed in')
  expect(results(cwd)).toMatchObject([
    {
      status: 'skipped',
      skip_reason: 'Agent awaiting input, no next turn defined',
      turns: [{}, { question: 'Which PO number?', hint: 'Add more turns, use --interactive, or configure simulator' }],
    },
  ])
  expect(existsSync(join(cwd, 'saved.jsonl'))).toBe(false)
})
