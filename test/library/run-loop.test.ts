// The orchestrator as a function: results, limits, signals, nothing printed and nothing left behind.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runLoop, UserError, type SessionRecord } from '../../src/index.js'
import { makeFolder } from '../support/run-cli.js'
import { event } from '../support/run-loop.js'

const mock_responses = [
  event('build.task', 'x'),
  { output: event('build.done', 'y'), files: { 'a.txt': 'b' } },
  'LOOP_COMPLETE',
]

test('a scripted run works in its folder and reports what it does', async () => {
  const cwd = makeFolder()
  const records: SessionRecord[] = []
  const said: string[] = []
  const result = await runLoop({
    cwd,
    task: 'Build it',
    mock_responses,
    onRecord: (record) => records.push(record),
    onOutput: (text) => said.push(text),
  })
  expect(result).toMatchObject({
    termination_reason: 'CompletionPromise',
    exit_code: 0,
    hats: ['planner', 'builder', 'planner'],
    session_file: join(cwd, 'session.jsonl'),
  })
  expect(records.at(-1)?.event).toBe('_meta.termination')
  expect(said.join('')).toContain('LOOP_COMPLETE')
  expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
})

test('a configuration of its own, limits, a recording and its replay', async () => {
  const [cwd, again] = [makeFolder(), makeFolder()]
  const config = { hats: { one: { triggers: ['task.start', 'go'], default_publishes: 'go' } } }
  const path = join(cwd, 'tape.yaml')
  const limits = { max_iterations: 2 }
  const first = await runLoop({
    cwd,
    task: 't',
    config,
    mock_responses: ['a', 'b'],
    ...limits,
    recording: { mode: 'record', path },
  })
  expect(first).toMatchObject({ termination_reason: 'MaxIterations', exit_code: 2, hats: ['one', 'one'] })
  expect(readFileSync(path, 'utf8')).toContain('hat: one')
  const second = await runLoop({ cwd: again, task: 't', config, ...limits, recording: { mode: 'replay', path } })
  expect(second).toMatchObject({ termination_reason: 'MaxIterations', stdout: first.stdout })
})

test('what is wrong is thrown before it begins; a program is ended with the signal', async () => {
  const cwd = makeFolder()
  const refused = async (options: Parameters<typeof runLoop>[0], code: string) => {
    const error = await runLoop(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    expect(error).toMatchObject({ code })
  }
  await refused({ cwd, task: 'x' }, 'NO_BACKEND')
  await refused({ cwd, task: ' ', mock_responses }, 'NO_TASK')
  await refused({ cwd: join(cwd, 'none'), task: 'x', mock_responses }, 'NO_FOLDER')
  await refused({ cwd, task: 'x', backend: 'claud' }, 'UNKNOWN_BACKEND')
  const stop = new AbortController()
  const backend = {
    type: 'custom',
    command: process.execPath,
    args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'],
  }
  const result = await runLoop({ cwd, task: 'x', backend, signal: stop.signal, onOutput: () => stop.abort() })
  expect(result.exit_code).not.toBe(2)
  expect(['Cancelled', 'Interrupted', 'Stopped']).toContain(result.termination_reason)
})
