// `--watch` on a terminal and without one: what an edit runs again, and that nothing else does.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, startViva, viva, writeFiles } from '../support/run-cli.js'
import { onTerminal, type Terminal } from '../support/terminal.js'

const says = (id: string, value: string, more: object = {}): object => ({
  id,
  input: 'hi',
  assert: { type: 'contains', value },
  ...more,
})
const AGENT = `import { word } from './lib/word.mjs'\nexport const run = (messages) => word + messages.at(-1).content\n`
const FILES = {
  'cases.jsonl': [says('a', 'hi'), says('b', 'no'), says('c', 'hi')],
  'agent.mjs': AGENT,
  'lib/word.mjs': `export const word = 'x'\n`,
  'other.mjs': 'export const unused = 1\n',
  'data/prompt.md': 'one',
  'viva.config.json': { watch: ['data/*.md'] },
}
const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--watch']

const runsIn = (dir: string): string[] => readdirSync(join(dir, '.viva/runs')).filter((name) => name.endsWith('.jsonl'))
const idsOf = (dir: string, name: string): string =>
  parseEvents(readFileSync(join(dir, '.viva/runs', name), 'utf8'))
    .filter((event) => event.type === 'result')
    .map((event) => String(event['id']))
    .join('')
/** The ids of each round, the oldest first. */
const rounds = (dir: string): string[] =>
  runsIn(dir)
    .map((name) => ({
      ids: idsOf(dir, name),
      time: readFileSync(join(dir, '.viva/runs', name), 'utf8').split('"timestamp":"')[1] ?? '',
    }))
    .toSorted((one, other) => (one.time < other.time ? -1 : 1))
    .map(({ ids }) => ids)

async function ready(terminal: Terminal): Promise<void> {
  await terminal.saw('q quit')
}

test('an edit runs again what depends on it, failing cases first; keys do the rest', async () => {
  const dir = makeFolder(FILES)
  const terminal = onTerminal(ARGS, { cwd: dir })
  await ready(terminal)
  expect(rounds(dir)).toEqual(['abc'])
  // What the agent imports: all cases, what failed first.
  writeFiles(dir, { 'lib/word.mjs': `export const word = 'y'\n` })
  await terminal.saw('lib/word.mjs changed: 3 cases')
  await ready(terminal)
  // A case: only it. The file is saved as editors do, under another name first.
  writeFiles(dir, {
    'saving.tmp': [says('a', 'hi'), says('b', 'y'), says('c', 'hi')].map((line) => JSON.stringify(line)).join('\n'),
  })
  renameSync(join(dir, 'saving.tmp'), join(dir, 'cases.jsonl'))
  await terminal.saw('cases.jsonl changed: 1 of 3 cases')
  await ready(terminal)
  // Two quick saves, one of a file that nothing imports; what is read at run time is named by `watch`.
  writeFiles(dir, { 'other.mjs': 'export const unused = 2\n', 'data/prompt.md': 'two' })
  writeFiles(dir, { 'data/prompt.md': 'three' })
  await terminal.saw('data/prompt.md changed: 3 cases')
  await ready(terminal)
  terminal.type('f')
  await terminal.saw('nothing has failed')
  await ready(terminal)
  terminal.type('/')
  await terminal.saw('matches (empty: all):')
  terminal.type('[bc]x\u007f\r')
  await terminal.saw('all: 2 cases (--run [bc])')
  await ready(terminal)
  terminal.type('/\r')
  await terminal.saw('all: 3 cases')
  await ready(terminal)
  // The same content is not a change, nor is what Viva has written.
  writeFiles(dir, { 'lib/word.mjs': `export const word = 'y'\n` })
  writeFiles(dir, { 'output-20260101000000.jsonl': 'x', 'agent.mjs': `${AGENT}// again\n` })
  await terminal.saw('agent.mjs changed: 3 cases')
  await ready(terminal)
  expect(rounds(dir)).toEqual(['abc', 'bac', 'b', 'abc', 'bc', 'abc', 'abc'])
  terminal.type('q')
  expect(await terminal.code).toBe(0)
  expect(readdirSync(dir)).not.toContain('cases.jsonl.lock')
})

test('a green round of some cases does not look like all of them: what fails and what was never run is said', async () => {
  const dir = makeFolder({ 'cases.jsonl': [says('a', 'no'), says('b', 'no'), says('c', 'hi')] })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--stop-after', '1', '--watch']
  const terminal = onTerminal(args, { cwd: dir })
  await terminal.saw('✗ 1 case failing · 2 cases not run')
  // What was not run is run with the next edit, to the next failure.
  writeFiles(dir, { 'cases.jsonl': [says('a', 'hi'), says('b', 'no'), says('c', 'hi')] })
  await terminal.saw('cases.jsonl changed: 3 cases')
  await terminal.saw('✗ 1 case failing · 1 case not run')
  terminal.type('f')
  await terminal.saw('failed: 1 of 3 cases')
  await terminal.saw('✗ 1 case failing · 1 case not run')
  writeFiles(dir, { 'cases.jsonl': [says('a', 'hi'), says('b', 'no'), says('c', 'h')] })
  await terminal.saw('cases.jsonl changed: 1 of 3 cases')
  await terminal.saw('✗ 1 case failing · a all')
  terminal.type('q')
  expect(await terminal.code).toBe(1)
  expect(rounds(dir)).toEqual(['a', 'ab', 'b', 'c'])
})

test('what is broken is reported, the watch continues, and what could not run then runs later', async () => {
  const dir = makeFolder({ ...FILES, 'cases.jsonl': '{"id": "a",\n' })
  const terminal = onTerminal(ARGS, { cwd: dir })
  await terminal.saw('cases.jsonl has 1 problem')
  await ready(terminal)
  writeFiles(dir, { 'cases.jsonl': FILES['cases.jsonl'] })
  await terminal.saw('cases.jsonl changed: 3 cases')
  await ready(terminal)
  writeFiles(dir, { 'lib/word.mjs': 'export const word = (\n' })
  await terminal.saw('could not be loaded')
  await ready(terminal)
  writeFiles(dir, { 'lib/word.mjs': `import { more } from './new.mjs'\nexport const word = more\n` })
  await terminal.saw('could not be loaded')
  await ready(terminal)
  writeFiles(dir, { 'lib/new.mjs': `export const more = 'no'\n` })
  await terminal.saw('lib/new.mjs changed: 3 cases')
  await ready(terminal)
  // The case file goes, and comes back with one case less and one more.
  rmSync(join(dir, 'cases.jsonl'))
  await terminal.saw('error:')
  await ready(terminal)
  writeFiles(dir, { 'cases.jsonl': [says('b', 'no'), says('c', 'hi'), says('d', 'hi')] })
  await terminal.saw('1 of 3 cases')
  await ready(terminal)
  writeFiles(dir, { 'viva.config.json': '{"wach": []}' })
  await terminal.saw('viva.config.json has 1 problem')
  await ready(terminal)
  writeFiles(dir, { 'viva.config.json': '{}' })
  await terminal.saw('viva.config.json changed: 3 cases')
  await ready(terminal)
  expect(rounds(dir).slice(-2)).toEqual(['d', 'bcd'])
  terminal.type('\u0003')
  expect(await terminal.code).toBe(130)
})

test('an edit during a run is not lost; Ctrl-C in a run ends all of it', async () => {
  const dir = makeFolder({
    'real/cases.jsonl': [says('a', 'hi')],
    'real/agent.sh': 'echo $$ > pid; if [ -e hang ]; then sleep 600; fi; echo hi',
  })
  const link = makeFolder()
  symlinkSync(join(dir, 'real'), join(link, 'linked'))
  const cwd = join(link, 'linked')
  writeFiles(dir, { 'real/hang': '' })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'exec:sh agent.sh', '--watch']
  const terminal = onTerminal(args, { cwd })
  await terminal.saw('▸ a')
  await expect.poll(() => readdirSync(join(dir, 'real')), { timeout: 30_000 }).toContain('pid')
  const hanging = Number(readFileSync(join(dir, 'real/pid'), 'utf8'))
  writeFiles(dir, { 'real/cases.jsonl': [says('a', 'hi'), says('b', 'hi')] })
  rmSync(join(dir, 'real/hang'))
  process.kill(hanging, 'SIGKILL')
  await terminal.saw('cases.jsonl changed: 1 of 2 cases')
  await terminal.saw('q quit')
  writeFiles(dir, { 'real/hang': '' })
  rmSync(join(dir, 'real/pid'))
  terminal.type('a')
  await expect.poll(() => readdirSync(join(dir, 'real')), { timeout: 30_000 }).toContain('pid')
  await expect.poll(() => Number(readFileSync(join(dir, 'real/pid'), 'utf8'))).toBeGreaterThan(0)
  const pid = Number(readFileSync(join(dir, 'real/pid'), 'utf8'))
  terminal.type('\u0003')
  expect(await terminal.code).toBe(130)
  expect(() => process.kill(pid, 0)).toThrow()
})

test('an agent that writes what is watched does not run forever; an attachment belongs to its case', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      says('a', 'hi'),
      { id: 'b', input: [{ role: 'user', content: [{ type: 'file', file: 'file://notes.txt' }] }] },
    ],
    'notes.txt': 'one',
    'agent.sh': 'cat > /dev/null; date +%s%N > state.sh; echo hi',
  })
  const terminal = onTerminal(['test', '-i', 'cases.jsonl', '-n', 'exec:sh agent.sh', '--watch'], { cwd: dir })
  await terminal.saw('state.sh changed during the last 3 runs: it waits for the next edit')
  await ready(terminal)
  const before = rounds(dir).length
  expect(before).toBeLessThanOrEqual(4)
  writeFiles(dir, { 'agent.sh': 'cat > /dev/null; echo hi' })
  await terminal.saw('agent.sh changed: 2 cases')
  await ready(terminal)
  writeFiles(dir, { 'notes.txt': 'two' })
  await terminal.saw('notes.txt changed: 1 of 2 cases')
  await ready(terminal)
  expect(rounds(dir).at(-1)).toBe('b')
  terminal.type('q')
  await terminal.code
})

test('a folder of cases: a new file runs alone, and older runs of -o x.jsonl go to .viva/runs', async () => {
  const dir = makeFolder({
    'tests/one.jsonl': [says('a', 'hi')],
    'agent.mjs': FILES['agent.mjs'],
    'lib/word.mjs': FILES['lib/word.mjs'],
  })
  const args = ['test', '-i', 'tests', '-n', './agent.mjs#run', '-o', 'out.jsonl', '--watch']
  const terminal = onTerminal(args, { cwd: dir })
  await ready(terminal)
  writeFiles(dir, { 'tests/two.jsonl': [says('b', 'hi')] })
  await terminal.saw('tests/two.jsonl changed: 1 of 2 cases')
  await ready(terminal)
  rmSync(join(dir, 'tests/two.jsonl'))
  await terminal.saw('no case that runs is affected')
  await ready(terminal)
  terminal.type('a')
  await terminal.saw('all: 1 case')
  await ready(terminal)
  terminal.type('q')
  expect(await terminal.code).toBe(0)
  expect(rounds(dir)).toEqual(['a', 'b'])
  expect(readdirSync(dir).toSorted()).toEqual(['.viva', 'agent.mjs', 'lib', 'out.jsonl', 'tests'])
})

test('script tests: only the file whose module was edited', async () => {
  const check = (name: string): string => `export function Test${name}(t) { t.assert.Equal(value(), 1) }\n`
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/x/package.yao': '{"name":"x"}',
    'assistants/x/src/one.ts': 'export function value() { return 1 }\n',
    'assistants/x/src/one_test.ts': check('One'),
    'assistants/x/src/two.ts': `import { one } from '../lib/deep'\nexport function value() { return one }\n`,
    'assistants/x/src/two_test.ts': check('Two'),
    'assistants/x/lib/deep.ts': 'export const one = 1\n',
  })
  mkdirSync(join(dir, '.viva'))
  const cli = startViva(['test', '-i', 'scripts.x.*', '--watch'], { cwd: dir })
  let seen = 0
  const settled = async (): Promise<void> => {
    seen += 1
    await expect
      .poll(
        () =>
          runsIn(dir).filter((name) => readFileSync(join(dir, '.viva/runs', name), 'utf8').includes('"summary"'))
            .length,
        { timeout: 50_000 },
      )
      .toBe(seen)
  }
  await cli.saw('watching')
  await settled()
  // Without a terminal there are no keys, and it works all the same.
  writeFileSync(join(dir, 'assistants/x/lib/deep.ts'), 'export const one = 2\n')
  await cli.saw('lib/deep.ts changed: 1 of 2 cases')
  await settled()
  cli.process.kill('SIGTERM')
  const { code, stderr } = await cli.done
  expect(code).toBe(143)
  expect(stderr).not.toContain('q quit')
})

test('what cannot be watched is refused', async () => {
  const dir = makeFolder(FILES)
  const refused = async (args: string[], env = {}): Promise<string> => {
    const { code, stderr } = await viva(args, { cwd: dir, env })
    expect(code).toBe(2)
    return stderr
  }
  expect(await refused(ARGS, { CI: 'true' })).toContain('--watch: it waits for someone to edit a file')
  expect(await refused(['test', '-i', '-', '--watch'])).toContain('cases that can be read again')
  expect(await refused([...ARGS, '--dry-run'])).toContain('--watch: it cannot be used with --dry-run')
})

test('a configuration and cases in JavaScript are read again, with what they import', async () => {
  const dir = makeFolder({
    'viva.config.mjs': "import { tag } from './tag.mjs'\nexport default { defaults: { tag: [tag] } }\n",
    'tag.mjs': "export const tag = 'one'\n",
    'cases.mjs': "export default [{ id: 'a', input: 'hi', tags: ['one'] }, { id: 'b', input: 'hi', tags: ['two'] }]\n",
  })
  const terminal = onTerminal(['test', '-i', 'cases.mjs', '-n', 'builtin:echo', '--watch'], { cwd: dir })
  await ready(terminal)
  writeFiles(dir, { 'tag.mjs': "export const tag = 'two'\n" })
  await terminal.saw('tag.mjs changed')
  await ready(terminal)
  writeFiles(dir, { 'viva.config.mjs': 'export default {}\n' })
  await terminal.saw('viva.config.mjs changed: 2 cases')
  await ready(terminal)
  writeFiles(dir, {
    'words.mjs': "export const words = ['hi']\n",
    'cases.mjs':
      "import { words } from './words.mjs'\nexport default words.map((input) => ({ id: input, input, expected: input }))\n",
  })
  await terminal.saw('cases.mjs changed: 1 case')
  await ready(terminal)
  writeFiles(dir, { 'words.mjs': "export const words = ['hi', 'ho']\n" })
  await terminal.saw('words.mjs changed: 1 of 2 cases')
  await ready(terminal)
  writeFiles(dir, { 'cases.mjs': 'export default [{' })
  await terminal.saw('does not compile')
  terminal.type('q')
  expect(await terminal.code).toBe(2)
  expect(rounds(dir)).toEqual(['a', 'b', 'ab', 'hi', 'ho'])
})
