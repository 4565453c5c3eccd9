// Agents on SDKs as published, each written as a user would, in every situation a case can bring about.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { note } from './results.js'
import { byId, details, openFolder, openModel, runViva, verdicts, type Ran } from './sdk-bed.js'

interface Sdk {
  /** Exports of its `agent.ts` besides `whole`: each answers the two turns after a tool like it. */
  others?: string[]
  streamed?: string
  tool: string
  /** Streamed, what was said before a call is part of the answer. */
  streamsAll?: boolean
  /** What differs from run to run in its calls, as the configuration names it. */
  redactions?: object
  /** It says what an answer cost. */
  cost?: boolean
}

const SDKS: Record<string, Sdk> = {
  'ai-6': { tool: 'weather', streamed: 'streamed', others: ['agent', 'thinking'] },
  'ai-7': { tool: 'weather', streamed: 'streamed', others: ['agent', 'thinking'] },
  openai: { tool: 'weather', streamed: 'streamed', streamsAll: true },
  'openai-agents': { tool: 'weather', streamed: 'streamed', others: ['agent'] },
  langgraph: { tool: 'weather', streamed: 'streamed', others: ['agent', 'values', 'updates', 'debug', 'several'] },
  'mastra-0': { tool: 'weather', streamed: 'streamed', others: ['agent'] },
  'mastra-1': { tool: 'weather', streamed: 'streamed', others: ['agent'] },
  'claude-agent-sdk': {
    tool: 'mcp__reports__weather',
    streamed: 'streamed',
    cost: true,
    redactions: { patterns: { session: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' } },
  },
  adk: { tool: 'weather', streamed: 'streamed' },
}

describe.each(Object.entries(SDKS))('%s', (name, sdk) => {
  const { tool } = sdk
  const exports = ['whole', ...(sdk.streamed === undefined ? [] : [sdk.streamed]), ...(sdk.others ?? [])]
  const turnsOf = (before = '') => [
    {
      input: 'The weather in Ulm?',
      assertions: [
        { type: 'tool_called', name: tool, arguments: { city: 'Ulm' }, times: 1 },
        { type: 'equals', value: `${before}It is fog.` },
      ],
    },
    {
      input: 'And the weather in Rome?',
      assertions: [
        { type: 'tool_called', name: tool, arguments: { city: 'Rome' }, times: 1 },
        { type: 'equals', value: `${before}It is sun.` },
      ],
    },
    {
      input: 'Thanks',
      assertions: [
        { type: 'tool_not_called', name: tool },
        { type: 'equals', value: 'You said: Thanks' },
      ],
    },
  ]

  test.each(exports)('%s: one turn, and two after a tool call; tokens; verdicts both ways', async (export_) => {
    const isStreamed = export_ === sdk.streamed
    const turns = turnsOf(isStreamed && sdk.streamsAll ? 'Let me look.\n\n' : '')
    const { results, model } = await run(name, export_, [
      {
        id: 'one',
        input: 'Hello',
        assert: [
          { type: 'equals', value: 'You said: Hello' },
          { type: 'tool_not_called', name: tool },
        ],
      },
      { id: 'on', turns },
      { id: 'called', input: 'The weather in Ulm?', assert: { type: 'tool_not_called', name: tool } },
      { id: 'not-called', input: 'Hello', assert: { type: 'tool_called', name: tool } },
      {
        id: 'wrong',
        turns: [...turns.slice(0, 2), { input: 'Thanks', assertions: [{ type: 'contains', value: 'fog' }] }],
      },
      { id: 'tokens', input: 'The weather in Ulm?', assert: { type: 'tokens', max: 30 } },
      { id: 'too-many', input: 'The weather in Ulm?', assert: { type: 'tokens', max: 29 } },
      { id: 'cost', input: 'Hello', assert: { type: 'cost_within', max_dollars: 10 } },
    ])
    expect(model.refusals).toEqual([])
    expect(verdicts(results), details(results)).toEqual({
      one: 'passed',
      on: 'passed',
      called: 'assertion',
      'not-called': 'assertion',
      wrong: 'assertion',
      tokens: 'passed',
      'too-many': 'assertion',
      // What is not reported is not known: never a pass.
      cost: sdk.cost ? 'passed' : expect.stringMatching(/^(?!passed)/),
    })
    const [first] = byId(results, 'on')?.turns ?? []
    // The chunks of the model do not say what its tools returned.
    const returned = isStreamed && sdk.streamsAll ? {} : { result: 'fog' }
    expect(first?.tool_calls).toMatchObject([{ name: tool, args: { city: 'Ulm' }, ...returned }])
    if (isStreamed) expect(byId(results, 'one')?.first_chunk_ms).toEqual(expect.any(Number))
    for (const cell of isStreamed ? ['streaming'] : ['one turn', 'two turns after a tool', 'tokens'])
      if (isStreamed || export_ === 'whole') note(name, cell, 'yes')
    const unpriced = sdk.cost ? undefined : shown(name, export_, 'cost_within', byId(results, 'cost'))
    if (export_ === 'whole') note(name, 'cost', sdk.cost ? 'yes' : 'no', unpriced)
  })

  test.each(exports.slice(0, 2))('%s: an error of the model is no answer', async (export_) => {
    const { results } = await run(name, export_, [
      { id: 'error', input: 'Please fail', assert: { type: 'not_contains', value: 'sorry' } },
      { id: 'midway', input: 'Please break off', assert: { type: 'not_contains', value: 'sorry' } },
    ])
    expect(verdicts(results), details(results)).toEqual({ error: 'agent', midway: 'agent' })
    expect(byId(results, 'error')?.error).toContain('no such model')
    note(name, 'error', 'yes')
  })

  test.runIf(name === 'claude-agent-sdk')('a run out of turns is no answer', async () => {
    const { results } = await run(name, 'impatient', [
      { id: 'turns', input: 'The weather in Ulm?', assert: { type: 'not_contains', value: 'sorry' } },
    ])
    expect(verdicts(results), details(results)).toEqual({ turns: 'agent' })
    expect(byId(results, 'turns')?.error).toContain('error_max_turns')
  })

  test.each(exports.slice(0, 2))('%s: a refusal is one', async (export_) => {
    const { results, model } = await run(name, export_, [
      { id: 'refused', input: 'Please refuse', assert: { type: 'not_contains', value: 'sorry' } },
      { id: 'expected', input: 'Please refuse', assert: { type: 'refusal' } },
    ])
    expect(model.refusals).toEqual([])
    expect(byId(results, 'refused')?.status, details(results)).toBe('failed')
    const isReported = byId(results, 'expected')?.status === 'passed'
    note(
      name,
      'refusal',
      isReported ? 'yes' : 'no',
      isReported ? undefined : shown(name, export_, 'refusal', byId(results, 'expected')),
    )
  })

  test.each(exports.slice(0, 2))('%s: a model that hangs ends with the time of the case', async (export_) => {
    const { results } = await run(name, export_, [
      { id: 'hangs', input: 'Please hang', timeout: '3s', assert: { type: 'not_contains', value: 'sorry' } },
      { id: 'after', input: 'Hello', assert: { type: 'equals', value: 'You said: Hello' } },
    ])
    expect(verdicts(results), details(results)).toEqual({ hangs: 'timeout', after: 'passed' })
    note(name, 'timeout', 'yes')
  })

  test('recorded and replayed: the same verdicts without the model', async () => {
    const cases = [{ id: 'on', turns: turnsOf() }]
    const recorded = await run(name, 'whole', cases, ['--record', 'tape.yaml', '--record-http'])
    expect(verdicts(recorded.results), details(recorded.results)).toEqual({ on: 'passed' })
    const before = recorded.model.requests.length
    const replayed = await run(name, 'whole', cases, ['--replay', 'tape.yaml'], recorded)
    expect(verdicts(replayed.results), details(replayed.results)).toEqual({ on: 'passed' })
    expect([before, recorded.model.requests.length - before]).toEqual([5, 0])
    expect(recorded.model.refusals).toEqual([])
    note(name, 'recorded and replayed', 'yes')
  })
})

async function run(name: string, export_: string, cases: object[], args: string[] = [], before?: Ran): Promise<Ran> {
  const model = before?.model ?? (await openModel())
  const folder = before?.folder ?? openFolder(name)
  copyFileSync(fileURLToPath(new URL(`${name}/agent.ts`, import.meta.url)), join(folder, 'agent.ts'))
  const { redactions } = SDKS[name] ?? {}
  if (redactions) writeFileSync(join(folder, 'viva.config.json'), JSON.stringify({ redactions }))
  return runViva({ model, folder, cases, args: ['-n', `./agent.ts#${export_}`, ...args] })
}

function shown(name: string, export_: string, what: string, result: ResultEvent | undefined): string {
  return `$ viva test -i cases.jsonl -n ./agent.ts#${export_}   # ${name}, a case that asserts ${what}\n${String(result?.error)}`
}
