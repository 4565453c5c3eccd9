// Servers with both versions of the A2A SDK, as published, driven by `-n a2a:url`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { node24 } from './install.mjs'
import { note } from './results.js'
import { byId, details, openFolder, openModel, runViva, verdicts } from './sdk-bed.js'

describe.each(['a2a-0.3', 'a2a-1'])('%s', (name) => {
  test('one turn, and two after a tool call, which A2A does not report', async () => {
    const { results, model } = await run(name, [
      { id: 'one', input: 'Hello', assert: { type: 'equals', value: 'You said: Hello' } },
      {
        id: 'on',
        turns: [
          { input: 'The weather in Ulm?', assertions: [{ type: 'equals', value: 'It is fog.' }] },
          { input: 'And the weather in Rome?', assertions: [{ type: 'equals', value: 'It is sun.' }] },
          { input: 'Thanks', assertions: [{ type: 'equals', value: 'You said: Thanks' }] },
        ],
      },
      {
        id: 'wrong',
        turns: [
          { input: 'The weather in Ulm?' },
          { input: 'Thanks', assertions: [{ type: 'contains', value: 'fog' }] },
        ],
      },
      { id: 'tools', input: 'The weather in Ulm?', assert: { type: 'tool_not_called', name: 'weather' } },
      { id: 'tokens', input: 'Hello', assert: { type: 'tokens', max: 1000 } },
      { id: 'cost', input: 'Hello', assert: { type: 'cost_within', max_dollars: 10 } },
    ])
    expect(model.refusals).toEqual([])
    const said = verdicts(results)
    expect(said, details(results)).toMatchObject({ one: 'passed', on: 'passed', wrong: 'assertion' })
    // What is not reported is not known: never a pass.
    for (const id of ['tools', 'tokens', 'cost']) expect(said[id], details(results)).not.toBe('passed')
    for (const cell of ['one turn', 'two turns after a tool', 'streaming']) note(name, cell, 'yes')
    note(name, 'tokens', 'no', shown('tokens', byId(results, 'tokens')?.error))
    note(name, 'cost', 'no', shown('cost_within', byId(results, 'cost')?.error))
  })

  test('an error, a refusal and a model that hangs are no answers', async () => {
    const check = { type: 'not_contains', value: 'sorry' }
    const { results } = await run(name, [
      { id: 'error', input: 'Please fail', assert: check },
      { id: 'refused', input: 'Please refuse', assert: check },
      { id: 'expected', input: 'Please refuse', assert: { type: 'refusal' } },
      { id: 'hangs', input: 'Please hang', timeout: '3s', assert: check },
      { id: 'after', input: 'Hello', assert: { type: 'equals', value: 'You said: Hello' } },
    ])
    expect(verdicts(results), details(results)).toMatchObject({
      error: 'agent',
      refused: 'agent',
      hangs: 'timeout',
      after: 'passed',
    })
    expect(byId(results, 'error')?.error).toContain('no such model')
    note(name, 'error', 'yes')
    note(name, 'timeout', 'yes')
    const expected = byId(results, 'expected')
    // A2A rejects a task where a model would refuse, and gives no reason that could be told from others.
    expect(expected?.status).toBe('failed')
    note(name, 'refusal', 'no', shown('refusal', expected?.error))
  })

  test('recorded whole and replayed without the server', async () => {
    const cases = [
      {
        id: 'on',
        turns: [
          { input: 'The weather in Ulm?', assertions: [{ type: 'equals', value: 'It is fog.' }] },
          { input: 'Thanks' },
        ],
      },
    ]
    const recorded = await run(name, cases, ['--record', 'tape.yaml'])
    expect(verdicts(recorded.results), details(recorded.results)).toEqual({ on: 'passed' })
    const before = recorded.model.requests.length
    const { results } = await runViva({ ...recorded, cases, args: ['-n', recorded.target, '--replay', 'tape.yaml'] })
    expect(verdicts(results), details(results)).toEqual({ on: 'passed' })
    expect(recorded.model.requests.length).toBe(before)
    note(name, 'recorded and replayed', 'yes')
  })
})

async function run(name: string, cases: object[], args: string[] = []) {
  const model = await openModel()
  const folder = openFolder(name)
  for (const file of [`${name}/server.mjs`, 'a2a-weather.mjs'])
    copyFileSync(fileURLToPath(new URL(file, import.meta.url)), join(folder, file.replace(/.*\//, '')))
  const server = spawn(node24() as string, ['server.mjs'], {
    cwd: folder,
    env: { OPENAI_BASE_URL: `${model.url}/v1` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill())
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const target = `a2a:${line.toString().trim()}`
  return { ...(await runViva({ model, folder, cases, args: ['-n', target, ...args] })), target }
}

function shown(what: string, error: unknown): string {
  return `$ viva test -i cases.jsonl -n a2a:URL   # a case that asserts ${what}\n${String(error)}`
}
