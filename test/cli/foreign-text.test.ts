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
  const terminal = onTerminal(args, { cwd, columns: 300 })
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
