// Cases and what runs recorded of them, case by case: a run's results are read where they are wanted and not kept.
import { canonicalJson } from '../base/json/canonical-json.js'
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import type { TestCase } from '../model/case.js'
import type { ResultEvent, StartEvent } from '../model/event.js'
import type { CaseSource } from '../model/source.js'
import { openResultIndex, type ResultIndex } from '../pipeline/record/result-index.js'
import { detectInputs } from '../pipeline/sources/detect.js'
import { openSource } from '../pipeline/sources/open-source.js'
import { conductOf, type Conduct } from './conduct.js'
import { openStages, type Stages } from './stage.js'

export interface SuiteInit {
  /** Event files of runs. */
  events: readonly string[]
  /** Case files; default: those of the first run. */
  input?: readonly string[] | undefined
  /** Of runs with several: whose answers are looked at. */
  variant?: string | undefined
  cwd: string
}

/** One case with what its runs left. */
export interface RecordedCase {
  testCase: TestCase
  results: ResultEvent[]
  /** Of those that passed, what the agent did. */
  goods: Conduct[]
  /** Why nothing can be said about it. */
  problem?: string
}

export interface Suite {
  source: CaseSource
  start: StartEvent
  stages: Stages
  /** In the order of the file; can be iterated more than once. */
  cases(): AsyncIterable<RecordedCase>
  close(): Promise<void>
}

export async function openSuite({ events, input, variant, cwd }: SuiteInit): Promise<Suite> {
  const indexes: AgentRun[] = []
  try {
    for (const path of events) indexes.push(await openAgentRun(path, variant))
    const [{ start }] = indexes as [AgentRun]
    if (variant !== undefined && indexes.every((each) => !each.start.variants)) throw noVariants(events, variant)
    const files = input ?? recordedInput(start, events[0] ?? '')
    const detected = detectInputs(files, { cwd })
    if (detected.kind !== 'file') throw noCases(`${files.join(', ')} is not a case file`)
    const source = await openSource(detected, { cwd, otherInput: true })
    const stages = openStages({ options: optionsOf(start) })
    return {
      source,
      start,
      stages,
      cases: () => recordedCases(source, indexes),
      close: async () => {
        for (const index of indexes) index.close()
        await source.close()
        await stages.close()
      },
    }
  } catch (error) {
    for (const index of indexes) index.close()
    throw error
  }
}

/** What one agent answered in a run. */
export interface AgentRun {
  start: StartEvent
  resultsOf(id: string): ResultEvent[]
  close(): void
}

/** `variant`: of a run with several, the one that is meant. */
export async function openAgentRun(path: string, variant: string | undefined): Promise<AgentRun> {
  const index = await openRun(path, variant)
  const own = index.start.variants ? variant : undefined
  return {
    start: index.start,
    resultsOf: (id) => resultsOf(index, id, own),
    close: () => index.close(),
  }
}

async function openRun(path: string, variant: string | undefined): Promise<ResultIndex> {
  const index = await openResultIndex(path)
  const { mode, variants } = index.start
  const names = variants?.map(({ name }) => name)
  if (mode === 'agent' && (!names || (variant !== undefined && names.includes(variant)))) return index
  index.close()
  throw names ? noVariant(path, variant, names) : notCases(path)
}

function notCases(path: string): UserError {
  return new UserError({
    code: 'NOT_ONE_AGENT',
    message: `${path} is not a run of cases`,
    hint: 'use the event file of a run of cases: viva test -i cases.jsonl -n agent -o run.jsonl',
  })
}

function noVariants(events: readonly string[], given: string): UserError {
  return new UserError({
    code: 'NOT_ONE_AGENT',
    subject: { flag: '--variant' },
    message: `there is no variant "${given}": ${events.join(', ')} has the answers of one agent`,
    hint: 'leave --variant out',
  })
}

function noVariant(path: string, given: string | undefined, names: string[]): UserError {
  const near = given === undefined ? undefined : suggest(given, names)
  return new UserError({
    code: 'NOT_ONE_AGENT',
    subject: { flag: '--variant' },
    message:
      given === undefined
        ? `${path} has the answers of ${names.length} variants`
        : `${path} has no variant called "${given}"`,
    hint: near === undefined ? `name one with --variant: ${names.join(', ')}` : `did you mean --variant ${near}?`,
  })
}

/** As the run was started; from another folder, or with cases that are not in a file, they must be given. */
function recordedInput({ options, input }: StartEvent, path: string): string[] {
  const given = options['input']
  const files = Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [input]
  if (files.length > 0 && files.every((file) => file !== '')) return files
  throw noCases(`${path} does not say where its cases are`)
}

function noCases(message: string): UserError {
  return new UserError({ code: 'NO_CASE_FILE', message, hint: 'give the case file: -i cases.jsonl' })
}

/** What bears on how a conversation goes on when the case has no more to say. */
function optionsOf({ options }: StartEvent): { on_missing_input?: 'skip' | 'fail' | 'end' } {
  const chosen = options['on_missing_input']
  return chosen === 'skip' || chosen === 'fail' || chosen === 'end' ? { on_missing_input: chosen } : {}
}

async function* recordedCases(source: CaseSource, indexes: readonly AgentRun[]): AsyncGenerator<RecordedCase> {
  for await (const batch of source.cases())
    for (const { testCase } of batch) {
      if (testCase.skip) continue
      const results = indexes.flatMap((index) => index.resultsOf(testCase.id))
      yield recordedCase(testCase, results)
    }
}

function resultsOf(index: ResultIndex, id: string, variant: string | undefined): ResultEvent[] {
  const results: ResultEvent[] = []
  for (let run = 1; ; run++) {
    const result = index.read({ id, run, ...(variant !== undefined && { variant }) })
    if (!result) return results
    results.push(result)
  }
}

function recordedCase(testCase: TestCase, results: ResultEvent[]): RecordedCase {
  const same = results.filter((result) => isSameQuestion(testCase, result))
  const passed = same.filter(({ status }) => status === 'passed')
  const goods = passed.map((result) => conductOf(result, testCase)).filter((conduct) => conduct !== undefined)
  const found: RecordedCase = { testCase, results: same, goods }
  if (results.length === 0) found.problem = 'the run has no result of it'
  else if (same.length === 0) found.problem = 'it asks something else than in the run'
  else if (goods.length === 0) found.problem = 'it did not pass'
  return found
}

/** What was said first; what a simulator said later is its own. */
function isSameQuestion({ input, messages, turns }: TestCase, result: ResultEvent): boolean {
  const asked = turns?.[0]?.input ?? messages ?? input
  return (
    asked === undefined ||
    canonicalJson(plain(asked)) === canonicalJson(plain(result.turns?.[0]?.input ?? result.input))
  )
}

/** `"hi"`, `{content: "hi"}` and `[{role: "user", content: "hi"}]` ask the same. */
function plain(input: unknown): unknown {
  const list = Array.isArray(input) ? input : [input]
  return list.map((message: unknown) => {
    if (!isRecord(message)) return { role: 'user', content: message }
    const { role = 'user', content } = message
    return { role, content }
  })
}
