// What an agent may do to make a run look different from what it was.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedFiles, markFiles } from '../../src/files/changed-files.js'
import { buildPrompt, withoutEcho } from '../../src/orchestrator/prompt.js'
import { makeFolder } from '../support/run-cli.js'
import { event, loop, type LoopRun } from '../support/run-loop.js'

/** A turn of a program that does what the script says. */
function program(script: string): Promise<LoopRun> {
  return loop({
    files: { 'agent.mjs': `import fs from 'node:fs'\nconst file = process.env.VIVA_EVENTS_FILE\n${script}` },
    backend: { type: 'custom', command: process.execPath, args: ['agent.mjs'], prompt_mode: 'stdin' },
    limits: { max_iterations: 1 },
  })
}

test('a program that prints its prompt has neither published nor finished', async () => {
  const run = await program(`process.stdout.write(fs.readFileSync(0))`)
  expect(run.termination_reason).toBe('MaxIterations')
  expect(run.topics).toEqual(['task.start'])
})

test('what surrounds the prompt counts', async () => {
  const run = await program(
    `const asked = fs.readFileSync(0, 'utf8')\nconsole.log(asked + '\\n' + ${JSON.stringify(event('build.task', 'own'))} + '\\n\\nLOOP_COMPLETE')`,
  )
  expect(run.termination_reason).toBe('CompletionPromise')
  expect(run.topics).toEqual(['task.start', 'build.task'])
})

test('only the whole prompt is an echo', () => {
  const hat = { id: 'a', name: 'A', description: '', triggers: [], publishes: [], instructions: '' }
  const scratchpad = { path: 'pad.md', tail: '' }
  const prompt = buildPrompt({ task: 'Do it', hat, events: [], scratchpad, guardrails: [], promise: 'DONE' })
  expect(withoutEcho(`a\n${prompt}b`, prompt)).toBe('a\n\nb')
  expect(withoutEcho('Do it\r\nDONE', prompt)).toBe('Do it\r\nDONE')
})

test.each([
  [
    'more than is read',
    `fs.writeFileSync(file, '\\n'.repeat(5_000_000) + '{"topic":"build.blocked"}\\n')`,
    '5000026 bytes',
  ],
  ['a link', `fs.symlinkSync('agent.mjs', file)`, 'ELOOP'],
  ['a folder', `fs.mkdirSync(file)`, 'regular file'],
])('events that cannot be read end the run: %s', async (_what, script, why) => {
  const run = await program(`${script}\nconsole.log('LOOP_COMPLETE')`)
  expect(run.termination_reason).toBe('Error')
  expect(run.error).toMatchObject({ code: 'EVENTS_LOST', exitCode: 3, message: expect.stringContaining(why) as string })
})

test('a recording keeps files of every name, and takes none for removed that is there', () => {
  const cwd = makeFolder()
  const before = markFiles(cwd)
  for (const name of ['__proto__', 'constructor']) writeFileSync(join(cwd, name), name)
  mkdirSync(join(cwd, 'folder'))
  const after = markFiles(cwd)
  const { files } = changedFiles(cwd, before, after)
  expect(Object.entries(files)).toEqual([
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])
  // As if there were too many to be listed.
  expect(changedFiles(cwd, after, new Map())).toEqual({ files: {}, left_out: [] })
})

test('what became a link, or is not text, is left out and not taken for unchanged', () => {
  const cwd = makeFolder({ 'a.txt': 'a', 'dir/b.txt': 'b', 'gone.txt': 'c', 'same.txt': 'd' })
  const elsewhere = makeFolder({ 'b.txt': 'other' })
  const before = markFiles(cwd)
  rmSync(join(cwd, 'a.txt'))
  symlinkSync(join(elsewhere, 'b.txt'), join(cwd, 'a.txt'))
  rmSync(join(cwd, 'dir'), { recursive: true })
  symlinkSync(elsewhere, join(cwd, 'dir'))
  rmSync(join(cwd, 'gone.txt'))
  writeFileSync(join(cwd, 'nul.bin'), 'a\0b')
  const { files, left_out } = changedFiles(cwd, before, markFiles(cwd))
  expect(files).toEqual({ 'gone.txt': null })
  expect(left_out.toSorted()).toEqual(['a.txt', 'dir', 'nul.bin'])
})

test('a folder in which nothing can be made is said before the run', async () => {
  const run = loop({ files: { '.agent': 'a file' }, backend: 'mock', mock_responses: [{ output: 'LOOP_COMPLETE' }] })
  await expect(run).rejects.toMatchObject({ code: 'CANNOT_WRITE', exitCode: 2 })
})
