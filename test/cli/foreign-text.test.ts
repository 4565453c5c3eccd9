// What agents say reaches a terminal spelled out, and a pipe as it is.
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

/** Sets the clipboard, clears the screen (in 7 and 8 bits), sets the title, returns to the start of the line. */
const EVIL = 'one\u001b]52;c;aGk=\u0007\u001b[2J\u009b2J\u001b]0;owned\u0007 two\r three'
const SHOWN = String.raw`one\x1b]52;c;aGk=\x07\x1b[2J\x9b2J\x1b]0;owned\x07 two\r three`
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** The exit code, everything that reached the terminal, and a pipe. */
async function shown(args: string[], cwd: string) {
  // Without the live display, which moves the cursor itself.
  const terminal = onTerminal(args, { cwd, columns: 300, env: { CI: '1' } })
  const code = await terminal.code
  const { stdout, stderr } = await viva(args, { cwd })
  return { code, raw: terminal.raw(), stdout, stderr }
}

test('the answer to a message', async () => {
  const { code, raw, stdout } = await shown(['test', '-i', EVIL, '-n', 'builtin:echo'], makeFolder())
  expect(code).toBe(0)
  expect(raw).toContain(SHOWN)
  expect(raw).not.toMatch(CONTROLS)
  expect(stdout).toBe(`${EVIL}\n`)
})

test('an answer that is data, with controls that JSON does not escape', async () => {
  const cwd = makeFolder({ 'agent.mjs': `export const run = () => ({ note: 'a\\u009b2Jb', ok: true })` })
  const { raw, stdout } = await shown(['test', '-i', 'hi', '-n', './agent.mjs#run'], cwd)
  expect(raw).toContain(String.raw`"note": "a\x9b2Jb"`)
  expect(JSON.parse(stdout)).toEqual({ note: 'a\u009b2Jb', ok: true })
})

test('several lines, other alphabets and emoji stay what they are', async () => {
  const text = 'é 日本語 👩‍👩‍👧\tx\nsecond'
  const { raw, stdout } = await shown(['test', '-i', text, '-n', 'builtin:echo'], makeFolder())
  expect(raw).toContain(text.replaceAll('\n', '\r\n'))
  expect(stdout).toBe(`${text}\n`)
})

test('what hats say in viva run, on both streams', async () => {
  const said = `${EVIL}\r\nLOOP_COMPLETE`
  const cwd = makeFolder({
    'agent.mjs': `process.stdout.write(${JSON.stringify(said)}); process.stderr.write(${JSON.stringify(EVIL)})`,
    'viva.yml': {
      cli: { backend: 'custom', command: process.execPath, args: ['agent.mjs'], prompt_mode: 'stdin' },
    },
  })
  const { code, raw, stdout, stderr } = await shown(['run', 'x'], cwd)
  expect(code).toBe(0)
  expect(raw.split(SHOWN)).toHaveLength(3)
  expect(raw).toContain(`${SHOWN}\r\nLOOP_COMPLETE\r\n`)
  expect(raw).not.toMatch(CONTROLS)
  expect(stdout).toBe(`${said}\n`)
  expect(stderr).toContain(EVIL)
})

test('why viva run ended, if that quotes a hat', async () => {
  const output = '<event topic="go\u001b[2J\u0007">x</event>'
  const cwd = makeFolder({
    'viva.yml': { hats: { only: { triggers: ['*'] } } },
    'mock.json': [output, output, output],
  })
  const { code, raw } = await shown(['run', 'x', '--mock', 'mock.json'], cwd)
  expect(code).toBe(1)
  expect(raw).toContain(String.raw`LoopStale ("go\x1b[2J\x07" was published`)
  expect(raw).not.toMatch(CONTROLS)
})

const TOLD = `export const run = () => { console.log('stray ' + ${JSON.stringify(EVIL)}); return ${JSON.stringify(EVIL)} }`

test('events on a terminal stay JSON, warnings about what an agent printed are spelled out', async () => {
  const cwd = makeFolder({ 'agent.mjs': TOLD, 'in.jsonl': [{ id: 'T1', input: 'hi\u009b2J' }] })
  const args = ['test', '-i', 'in.jsonl', '-n', './agent.mjs#run', '--json', '-o', 'o.jsonl', '-v']
  const { code, raw, stdout } = await shown(args, cwd)
  expect(code).toBe(0)
  expect(raw).not.toMatch(CONTROLS)
  const lines = raw.replaceAll('\r\n', '\n').split('\n')
  const events = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(events.find(({ type }) => type === 'result')?.['output']).toBe(EVIL)
  expect(raw).toContain(String.raw`hi\u009b2J`)
  expect(stdout).toContain('\u009b2J')
})

test.each(['report.markdown', 'report.tap', 'report.json'])('%s on a terminal', async (reporter) => {
  const cwd = makeFolder({
    'agent.mjs': TOLD,
    'in.jsonl': [{ id: 'T1', input: EVIL, assert: { type: 'equals', value: 'other\u009b2J' } }],
  })
  const { code, raw, stdout } = await shown(['test', '-i', 'in.jsonl', '-n', './agent.mjs#run', '-r', reporter], cwd)
  expect(code).toBe(1)
  expect(raw).toContain('owned')
  expect(raw).not.toMatch(CONTROLS)
  expect(stdout).toContain('owned')
})

test('a note that quotes the name of a file', async () => {
  const args = ['test', '-i', 'hi', '-n', 'builtin:echo', '-o', 'o\u009b2J.md']
  const { raw, stderr } = await shown(args, makeFolder())
  expect(raw).toContain(String.raw`o\x9b2J.md`)
  expect(raw).not.toMatch(CONTROLS)
  expect(stderr).toContain('o\u009b2J.md')
})

test('what tools answer, and what a configuration is called in an error', async () => {
  const cwd = makeFolder({ 'viva.config.json': { agents: { 'a\u009b2J': { target: 7 } } } })
  const failed = await shown(['test', '-i', 'hi', '-n', 'builtin:echo'], cwd)
  expect(failed.code).toBe(2)
  expect(failed.raw).toContain(String.raw`a\x9b2J`)
  expect(failed.raw).not.toMatch(CONTROLS)
  const answered = await shown(['tool', 'test_inspect', JSON.stringify({ workspace_id: 'a\u009b2J' })], makeFolder())
  expect(answered.raw).not.toMatch(CONTROLS)
})

test('colours of reports pass on a terminal, and nothing else that an escape can do', async () => {
  const cwd = makeFolder({ 'in.jsonl': [{ id: 'T1', input: EVIL, assert: { type: 'equals', value: 'x' } }] })
  const terminal = onTerminal(['test', '-i', 'in.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl'], {
    cwd,
    env: { NO_COLOR: '', FORCE_COLOR: '1', CI: '1' },
  })
  expect(await terminal.code).toBe(1)
  expect(terminal.raw()).toMatch(/\u001b\[[0-9;]*m/)
  expect(terminal.raw().replace(/\u001b\[[0-9;]*m/g, '')).not.toMatch(CONTROLS)
})
