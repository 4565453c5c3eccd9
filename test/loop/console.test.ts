// What the console says: short where all is well, whole where it is not, and at the end what to do next.
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

const CASES = [
  { id: 'a', name: 'First', input: 'hi', assert: { type: 'contains', value: 'hi' } },
  { id: 'b', input: 'one\ntwo\n\n::error::three', assert: { type: 'contains', value: 'no' } },
  { id: 'c', input: 'x', skip: true, skip_reason: 'later' },
  { id: 'd', turns: [{ input: 'x' }, { input: 'y' }] },
  { id: 'e.f', input: 'x', assert: { type: 'contains', value: 'no' } },
]
const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl', '--force']

test('on a terminal what passed is one line; -v shows all of it', async () => {
  const dir = makeFolder({ 'cases.jsonl': CASES })
  const terminal = onTerminal(args, { cwd: dir })
  expect(await terminal.code).toBe(1)
  const shown = terminal.screen().replaceAll(/\d+(?:\.\d+)?m?s/g, '0s')
  expect(shown).toContain('✓ [a] First (0s)\n\n✗ [b]')
  expect(shown).toContain('○ [c] skipped: later\n✓ [d] (2 turns, 0s)\n\n✗ [e.f]')
  expect(shown).not.toContain('Assertions: 1/1')
  const verbose = await viva([...args, '-v'], { cwd: dir })
  for (const text of ['Assertions: 1/1', 'User: "hi"', '├─ Turn 1']) expect(verbose.stdout).toContain(text)
})

test('elsewhere too, where there are many', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `t${index}`, input: 'hi' }))
  const run = await viva(args, { cwd: makeFolder({ 'cases.jsonl': many }) })
  expect([...run.stdout.matchAll(/^✓ \[t\d+\] \(\S+\)$/gm)]).toHaveLength(12)
  expect(run.stdout).not.toContain('Messages:')
  expect(run.stdout).not.toContain('again:')
})

test('an answer of several lines is shown as such, and the failures once more with the command to run them', async () => {
  const dir = makeFolder({ 'cases.jsonl': CASES })
  const run = await viva(args, { cwd: dir })
  expect(run.stdout).toContain('  Agent: "one\n        │ two\n        │\n        │ ::error::three"\n')
  expect(run.stdout.slice(run.stdout.indexOf('  2 failures'))).toBe(
    String.raw`  2 failures:
    ✗ [b] cases.jsonl:2 output does not contain "no"
    ✗ [e.f] cases.jsonl:5 output does not contain "no"

  To run just them again:
    viva test -i cases.jsonl -n builtin:echo --run '^(?:b|e\.f)$'
`,
  )
  const long = Array.from({ length: 30 }, (_, index) => ({
    id: `t${index}`,
    input: Array.from({ length: 40 }, (_line, line) => `line ${line}`).join('\n'),
    assert: { type: 'contains', value: 'no' },
  }))
  const many = await viva(args, { cwd: makeFolder({ 'cases.jsonl': long }) })
  expect(many.stdout).toContain('        │ line 11\n        │ … 28 more lines (-v shows them)\n')
  expect(many.stdout).toMatch(/✗ \[t19\] .*\n {4}… and 10 more\n\n.*\n {4}viva test .* --last-failed\n$/)
})
