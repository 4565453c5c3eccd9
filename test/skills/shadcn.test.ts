// A whole benchmark of a skill through the command line: its own files as they are, an agent whose behaviour is planted.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultEvent, SummaryEvent } from '../../src/model/event.js'
import { parseEvents, ROOT } from '../support/run-cli.js'
import { plantedFolder, testSkill, type Eval, type Query } from './planted.js'

const PUBLIC = join(ROOT, '../shared/data/public/skills')

/** Where the public files are not at hand: others of the same form. */
const OWN_EVALS = JSON.stringify({
  skill_name: 'shadcn',
  evals: [1, 2, 3].map((id) => ({
    id,
    prompt: `Build form ${id}`,
    files: [],
    expectations: [1, 2, 3].map((at) => `Expectation ${at} of ${id}`),
  })),
})
const OWN_TRIGGERS = JSON.stringify(
  Array.from({ length: 20 }, (_, at) => ({ query: `Query ${at}`, should_trigger: at % 2 === 0 })),
)

function readPublic(name: string, own: string): string {
  const path = join(PUBLIC, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : own
}

const EVALS = readPublic('shadcn-evals.json', OWN_EVALS)
const TRIGGERS = readPublic('shadcn-triggers.json', OWN_TRIGGERS)
const evals = (JSON.parse(EVALS) as { evals: Eval[] }).evals
const queries = JSON.parse(TRIGGERS) as Query[]

/** Of each eval, the expectations that only the side with the skill meets: all but the first. */
const PLAN = {
  seed: 1,
  evals: Object.fromEntries(
    evals.map(({ prompt, expectations }) => [
      prompt,
      expectations.map((text, at) => ({ text, with: 1, without: at === 0 ? 1 : 0 })),
    ]),
  ),
}

interface Benchmark {
  metadata: Record<string, unknown>
  runs: Array<{ eval_id: unknown; configuration: string; result: Record<string, unknown> }>
  run_summary: Record<string, Record<string, { mean: number } | string>>
  intervals: Record<string, Record<string, { difference: number; low: number; high: number; evals: number }>>
  notes: string[]
}

test('evals and trigger queries of a skill run unchanged, both, without being named', async () => {
  const missed = queries.filter(({ should_trigger }) => should_trigger).slice(0, 2)
  const wrongly = queries.filter(({ should_trigger }) => !should_trigger).slice(0, 3)
  const other = queries.filter(({ should_trigger }) => should_trigger).slice(2, 3)
  const taken = ({ query, should_trigger }: Query): string | null => {
    if (other.some((one) => one.query === query)) return 'figma'
    if (missed.some((one) => one.query === query)) return null
    return should_trigger || wrongly.some((one) => one.query === query) ? 'shadcn' : null
  }
  const plan = { ...PLAN, queries: Object.fromEntries(queries.map((query) => [query.query, taken(query)])) }
  const dir = plantedFolder({ skill: 'shadcn', evals: EVALS, triggers: TRIGGERS, plan, beside: 'figma' })
  const { stderr } = await testSkill(dir, 'shadcn', '--skills', 'figma', '-o', 'benchmark.json')
  expect(stderr).not.toContain('error:')
  const events = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  const results = events.filter(({ type }) => type === 'result') as unknown as ResultEvent[]
  const summary = events.at(-1) as unknown as SummaryEvent

  expect(new Set(results.map(({ id }) => id))).toEqual(
    new Set([...evals.map(({ id }) => String(id)), ...queries.map((_, at) => `trigger-${at + 1}`)]),
  )
  const rightly = queries.filter(({ should_trigger }) => should_trigger).length
  const cells = (summary.choices?.[0]?.matrix ?? []).map(({ expected, taken, runs }) => `${expected} ${taken} ${runs}`)
  expect(cells.toSorted()).toEqual(
    [
      `shadcn shadcn ${rightly - 3}`,
      'shadcn null 2',
      'shadcn figma 1',
      'null shadcn 3',
      `null null ${queries.length - rightly - 3}`,
    ].toSorted(),
  )

  const benchmark = JSON.parse(readFileSync(join(dir, 'benchmark.json'), 'utf8')) as Benchmark
  expect(benchmark.metadata).toMatchObject({ skill_name: 'shadcn', evals_run: evals.map(({ id }) => id) })
  expect(benchmark.runs).toHaveLength(2 * evals.length)
  const share = evals.reduce((sum, { expectations }) => sum + 1 / expectations.length, 0) / evals.length
  expect(benchmark.run_summary).toMatchObject({
    with_skill: { pass_rate: { mean: 1 }, tokens: { mean: 1000 } },
    without_skill: { pass_rate: { mean: Number(share.toFixed(4)) }, tokens: { mean: 500 } },
    delta: { pass_rate: `+${(1 - share).toFixed(2)}`, tokens: '+500' },
  })
  expect(benchmark.notes.join('\n')).toContain(`Left out: ${queries.length} runs of trigger queries`)
})

test('a planted difference is inside the interval of a run with repeats', async () => {
  const planted = evals.map(({ prompt, expectations }) => [
    prompt,
    expectations.map((text) => ({ text, with: 0.9, without: 0.4 })),
  ])
  const plan = { seed: 5, together: 0.5, evals: Object.fromEntries(planted) }
  const dir = plantedFolder({ skill: 'shadcn', evals: EVALS, plan })
  await testSkill(dir, 'shadcn', '--runs', '5', '--parallel', '1', '-o', 'benchmark.json')
  const { intervals } = JSON.parse(readFileSync(join(dir, 'benchmark.json'), 'utf8')) as Benchmark
  const found = intervals['with_skill']?.['expectations_met']
  expect(found).toMatchObject({ evals: evals.length })
  expect(found?.low).toBeLessThan(0.5)
  expect(found?.high).toBeGreaterThan(0.5)
  expect(found?.low).toBeGreaterThan(0)
})

test('a skill without files of its own says what is missing', async () => {
  const dir = plantedFolder({ skill: 'shadcn', plan: PLAN })
  const { stderr, code } = await testSkill(dir, 'shadcn')
  expect(code).toBe(2)
  expect(stderr).toContain('shadcn/evals holds neither evals.json nor triggers.json')
})
