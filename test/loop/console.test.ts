// What the console of `viva test` says: short where all is well, by cause where it is not, and at the end what to do next.
import { expect, test } from 'vitest'
import { makeFolder, viva, type CliRun } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

const CASES = [
  { id: 'a', name: 'First', input: 'hi', assert: { type: 'contains', value: 'hi' } },
  { id: 'b', input: 'one\ntwo\n\n::error::three', assert: { type: 'contains', value: 'no' } },
  { id: 'c', input: 'x', skip: true, skip_reason: 'later' },
  { id: 'd', turns: [{ input: 'x' }, { input: 'y' }] },
  { id: 'e.f', input: 'x y z', assert: { type: 'contains', value: 'no' } },
]
const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl', '--force']
const timeless = (text: string): string => text.replaceAll(/\b\d+(?:\.\d+)?m?s\b/g, '0s')

async function shown(cases: object[], more: string[] = [], files: Record<string, string> = {}): Promise<CliRun> {
  const run = await viva([...args, ...more], { cwd: makeFolder({ 'cases.jsonl': cases, ...files }) })
  return { ...run, stdout: timeless(run.stdout) }
}

test('a line for each case, the failures by cause, then the totals, the command to run them again and the report', async () => {
  const { stdout, stderr } = await shown(CASES)
  expect(stdout).toBe(String.raw`viva · builtin:echo · 5 cases · cases.jsonl

✓ [a] First (0s)
✗ [b] (0s)
○ [c] skipped: later
✓ [d] (2 turns, 0s)
✗ [e.f] (0s)

✗ output does not contain "no" · 2 cases
    cause     the answer only repeats the input
  [b] · cases.jsonl:2
    asked     one\ntwo\n\n::error::three
    came      one
              │ two
              │
              │ ::error::three
    expected  "no"
  [e.f] · cases.jsonl:5
    asked     x y z
    came      "x y z"
    expected  "no"

✗ 2 failed, 2 passed, 1 skipped in 0s, 2 turns
  Vacuous: an agent that does nothing would pass 2 cases (a, d); see viva mutate latest
Rerun: viva test -i cases.jsonl -n builtin:echo --run '^(?:b|e\.f)$'
Report: viva view latest (out.jsonl)
`)
  expect(stderr).toBe('')
})

test('-v shows each case as it ends, and the causes only by name', async () => {
  const { stdout } = await shown(CASES, ['-v'])
  for (const text of ['Assertions: 1/1', 'User: "hi"', '├─ Turn 1']) expect(stdout).toContain(text)
  expect(stdout).toContain('\n✗ output does not contain "no" · 2 cases\n  [b] [e.f]\n')
})

test('on a terminal passing cases get a line each as long as they fit; a log keeps them', async () => {
  const many = Array.from({ length: 31 }, (_, index) => ({ id: `t${index}`, input: 'hi' }))
  const few = many.slice(0, 30)
  const linesOf = (text: string): number => [...text.matchAll(/✓ \[t\d+\] \(\S+\)/g)].length
  for (const [cases, lines] of [
    [few, 30],
    [many, 0],
  ] as const) {
    const terminal = onTerminal(args, { cwd: makeFolder({ 'cases.jsonl': cases }) })
    expect(await terminal.code).toBe(0)
    expect(linesOf(terminal.screen())).toBe(lines)
    expect(terminal.screen()).toContain(`✓ ${cases.length} passed in`)
  }
  expect(linesOf((await shown(many)).stdout)).toBe(31)
})

test('alike but for ids and numbers is one cause: the first are shown in full, the others named', async () => {
  const cases = Array.from({ length: 30 }, (_, index) => ({
    id: `t${index}`,
    input: `{"order": ${index}}`,
    assert: { type: 'json_path', path: '$.order', value: 100 + index },
  }))
  const { stdout } = await shown(cases)
  expect(stdout).toContain('✗ $.order is not equal: expected 100, got 0 · 30 cases\n  [t0] · cases.jsonl:1\n')
  expect(stdout.match(/^ {4}asked/gm)).toHaveLength(3)
  expect(stdout).toMatch(/^ {2}also \[t3\] \[t4\] .* \[t22\] and 7 more$/m)
  expect(stdout).toMatch(/^Rerun: viva test .* --last-failed$/m)
})

const SHOP = `
export const shop = (messages) => {
  const { length } = messages
  return length < 3
    ? { content: 'Which order?', awaiting_input: true }
    : { content: 'Refunded.', tool_calls: [{ name: 'refund', args: { amount: 30 } }], awaiting_input: true }
}
export const user = () => 'the blue one'
export const fails = () => inner()
const inner = () => { throw new TypeError('no such order') }
`

test('a simulated conversation shows its turns, and its headline is what the agent did, not that turns ran out', async () => {
  const cheap = { type: 'tool_called', name: 'refund', arguments: { amount: { $lt: 20 } } }
  const files = { 'shop.mjs': SHOP }
  const cases = [
    {
      id: 'r',
      input: 'refund me',
      simulator: { use: './shop.mjs#user' },
      max_turns: 2,
      checkpoints: [{ id: 'cheap', assertion: cheap }],
    },
  ]
  const cwd = makeFolder({ 'cases.jsonl': cases, ...files })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './shop.mjs#shop'], { cwd })
  const text = timeless(run.stdout)
  expect(text).toContain(
    '✗ refund was called, never with amount below 20: in call 1, refund({"amount":30}), it is 30 (checkpoint "cheap", not reached in 2 turns)\n',
  )
  expect(text).toContain(`
     1 user      refund me
       agent     "Which order?" (0s)
     2 simulated the blue one
       agent     refund({amount: 30})
                 │ "Refunded." (0s)
    wrong     checkpoint "cheap"
    expected  refund with {"amount":{"$lt":20}}
`)
})

test("an agent's error shows the frames of its own code, and a traceback keeps its end", async () => {
  const cwd = makeFolder({
    'cases.jsonl': [{ id: 'x', input: 'x' }],
    'shop.mjs': SHOP,
    'agent.py': `import json\ndef deep(n):\n    return deep(n - 1) if n else json.loads('{')\ndeep(30)\n`,
  })
  const module = await viva(['test', '-i', 'cases.jsonl', '-n', './shop.mjs#fails'], { cwd })
  expect(module.stdout).toMatch(
    /✗ the agent failed: TypeError: no such order \(at shop\.mjs:10:29\)\n[^]*\n {4}at inner \(.*shop\.mjs:10:29\)\n {4}at fails \(.*shop\.mjs:9:28\)\n\n/,
  )
  const python = await viva(['test', '-i', 'cases.jsonl', '-n', 'exec:python3 agent.py'], { cwd })
  expect(python.stdout).toMatch(
    /✗ the agent's program failed \(exit code 1\): json\.decoder\.JSONDecodeError: .* \(decoder\.py:\d+\)\n/,
  )
  expect(python.stdout).toMatch(/\n {4}at deep \(.*agent\.py:3\)\n/)
})

test('repeated cases say in words what their runs show, and keep --runs in the command', async () => {
  const files = { 'odd.mjs': 'let calls = 0\nexport default () => (++calls % 5 === 0 ? "bad" : "good")\n' }
  const cases = [
    { id: 'some', input: 'x', assert: { type: 'contains', value: 'good' } },
    { id: 'never', input: 'x', assert: { type: 'contains', value: 'fine' } },
  ]
  const cwd = makeFolder({ 'cases.jsonl': cases, ...files })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './odd.mjs', '--runs', '20'], { cwd })
  expect(run.stdout).toContain('✗ [some] · 16/20 passed, passes sometimes, 95% interval 58.4% to 91.9%\n')
  expect(run.stdout).toContain('✗ [never] · 0/20 passed, fails always, 95% interval 0% to 16.1%\n')
  expect(run.stdout).toContain('✗ fails in some runs only: output does not contain "good"\n')
  expect(run.stdout).toContain("Rerun: viva test -i cases.jsonl -n ./odd.mjs --runs 20 --run '^(?:some|never)$'\n")
  const few = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--runs', '5', '--run', 'some'], { cwd })
  expect(few.stdout).toContain('0/5 passed, too few runs to tell: about 11 more, 95% interval 0% to 43.4%\n')
})

test('nothing an agent says can pass for a line of ours, a command of a build server, or a control code', async () => {
  const said = '✓ 9 passed in 1ms\n::error::x\n##[group]\u001b[31mred\nReport: viva view other'
  const { stdout } = await shown([{ id: 'x', input: said, assert: { type: 'contains', value: 'no' } }])
  const lines = stdout.split('\n')
  expect(lines.filter((line) => /^(?:✓|::|##|\s*::|\s*##)/.test(line))).toEqual([])
  expect(lines.filter((line) => line.startsWith('Report:'))).toEqual(['Report: viva view latest (out.jsonl)'])
  expect(stdout).not.toContain('\u001b')
})

test('the newest run is found from the folder it was started in, without any set-up', async () => {
  const cwd = makeFolder({ 'tests/cases.jsonl': CASES.slice(0, 1) })
  const run = await viva(['test', '-i', 'tests/cases.jsonl', '-n', 'builtin:echo'], { cwd })
  expect(run.stdout).toMatch(/\nReport: viva view latest \(tests\/output-\d{14}\.jsonl\)\n$/)
  const report = await viva(['report', 'latest'], { cwd })
  expect([report.code, report.stdout]).toEqual([0, expect.stringContaining('Total:   1 test')])
  const outside = makeFolder()
  const apart = await viva(['test', '-i', 'tests/cases.jsonl', '-n', 'builtin:echo', '-o', `${outside}/o.jsonl`], {
    cwd,
  })
  expect(apart.stdout).toContain(`\nReport: viva view ${outside}/o.jsonl\n`)
})
