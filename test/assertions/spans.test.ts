// `span` and `span_sequence`: over the steps of packages, of orchestrators, and those that an agent reports itself.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'
import { event } from '../support/run-loop.js'

/** By a label: an assertion, and whether it holds; `error` where it cannot be checked. */
type Row = [assertion: object, expected: 'holds' | 'fails' | 'error']

async function check(files: Files, agent: string, more: object, rows: Row[]): Promise<ResultEvent[]> {
  const cases = rows.map(([assertion], index) => ({ id: `T${index}`, input: 'go', ...more, assert: assertion }))
  const cwd = makeFolder({ ...files, 'cases.jsonl': cases })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'o.jsonl'], { cwd })
  expect(run.code, run.stderr).toBeLessThan(2)
  const results = parseEvents(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).filter(
    ({ type }) => type === 'result',
  ) as unknown as ResultEvent[]
  const found = results.map((result) => {
    const [assertion] = result.assertions ?? []
    return assertion?.error !== undefined ? 'error' : assertion?.passed ? 'holds' : 'fails'
  })
  expect(rows.map(([assertion], index) => [assertion, found[index]])).toEqual(rows)
  return results
}

const SPANS = [
  { name: 'plan', id: 'p', start_ms: 0, duration_ms: 5 },
  {
    name: 'search',
    kind: 'tool',
    id: 's',
    parent: 'p',
    start_ms: 5,
    duration_ms: 900,
    attributes: { hits: 3, 'a.b': 'x' },
  },
  { name: 'search', kind: 'tool', start_ms: 905, duration_ms: 100, error: 'no connection' },
  { name: 'answer', kind: 'model', start_ms: 1100, attributes: { n: 'many' } },
]
const OTLP = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              spanId: '1',
              name: 'chat gpt',
              startTimeUnixNano: '1700000000000000000',
              endTimeUnixNano: '1700000001000000000',
              attributes: [
                { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
              ],
            },
          ],
        },
      ],
    },
  ],
}
const module = (spans: unknown) => ({
  'agent.mjs': `export const run = () => ({ content: 'ok', spans: ${JSON.stringify(spans)} })`,
})

test('what an agent reports of its steps', async () => {
  const results = await check(module(SPANS), './agent.mjs#run', {}, [
    [{ type: 'span', name: 'search' }, 'holds'],
    [{ type: 'span', name: 'se*', times: { exact: 2 } }, 'holds'],
    [{ type: 'span', name: 'search', times: { max: 1, min: 1 } }, 'fails'],
    [{ type: 'span', kind: 'tool', attributes: { hits: { $gt: 2 } } }, 'holds'],
    [{ type: 'span', kind: 'tool', attributes: { hits: 4 } }, 'fails'],
    [{ type: 'span', name: 'answer', attributes: { n: { $gt: 2 } }, negate: true }, 'error'],
    [{ type: 'span', status: 'error', times: { exact: 0 } }, 'fails'],
    [{ type: 'span', name: 'search', status: 'ok', max_ms: 1000 }, 'holds'],
    [{ type: 'span', name: 'search', status: 'ok', max_ms: 800 }, 'fails'],
    [{ type: 'span', name: 'answer', max_ms: 1000 }, 'error'],
    [{ type: 'span', name: 'search', under: 'plan', times: { exact: 1 } }, 'holds'],
    [{ type: 'span', name: 'delete' }, 'fails'],
    [{ type: 'span', name: 'delete', negate: true }, 'holds'],
    [{ type: 'span_sequence', names: ['plan', 'search', 'answer'] }, 'holds'],
    [{ type: 'span_sequence', names: ['answer', 'plan'] }, 'fails'],
  ])
  expect(results[0]?.spans?.[1]).toEqual(SPANS[1])
})

test('OTLP is read, with its kinds and times; anything else has no steps', async () => {
  await check(module(OTLP), './agent.mjs#run', {}, [
    [{ type: 'span', kind: 'model', attributes: { 'gen_ai.usage.input_tokens': 12 }, max_ms: 1000 }, 'holds'],
    [{ type: 'span', kind: 'model', max_ms: 999 }, 'fails'],
  ])
  await check(module([{ title: 'x' }]), './agent.mjs#run', {}, [[{ type: 'span', name: 'x', negate: true }, 'error']])
  await check({}, 'builtin:echo', {}, [
    [{ type: 'span', name: 'x' }, 'error'],
    [{ type: 'span', name: 'x', negate: true }, 'error'],
    [{ type: 'span', name: 'x', times: { exact: 0 } }, 'error'],
  ])
})

test('the steps of a package and the hats of an orchestrator are spans as well', async () => {
  const app = {
    'app.yao': '{}',
    'assistants/desk/package.yao': { name: 'desk', connector: 'mock' },
    'assistants/desk/prompts.yml': '- role: system\n  content: be brief\n',
    'assistants/desk/mock.yml': '- output: three\n',
  }
  await check(app, 'desk', {}, [
    [{ type: 'span', kind: 'model', times: { exact: 1 }, max_ms: 60_000 }, 'holds'],
    [{ type: 'span', kind: 'tool' }, 'fails'],
  ])
  const mock_responses = [event('build.task', 'x'), event('build.done', 'y'), 'LOOP_COMPLETE']
  await check({}, 'orchestrator:', { workspace: {}, options: { mock_responses } }, [
    [{ type: 'span_sequence', names: ['planner', 'builder', 'planner'] }, 'holds'],
    [{ type: 'span', kind: 'iteration', name: 'builder', times: { exact: 2 } }, 'fails'],
  ])
})
