// One case against one agent, for programs and for the matchers of a test runner.
import type { AgentFunction } from '../agents/targets/function.js'
import { UserError } from '../errors.js'
import type { WrittenCase } from '../model/case-schema.js'
import type { ResultEvent } from '../model/event.js'
import { runSettings } from './run-tests.js'
import type { Inline, ProgramOptions } from '../run/inline.js'
import { takeInline } from '../run/inline.js'
import { IO_KEYS, workingDir, type RunIo } from '../run/io.js'
import { requireKnownOptions, requireSignal } from '../run/require-arguments.js'
import { readSettings } from '../run/settings.js'
import { hidingSecrets } from '../run/unit/without-secrets.js'

/** Options about many cases, or many runs of one, are not here: use `runTests`. */
export interface CaseOptions extends Omit<
  ProgramOptions,
  | 'input'
  | 'cases'
  | 'agent'
  | 'name'
  | 'variant'
  | 'runs'
  | 'shard'
  | 'resume'
  | 'run'
  | 'tag'
  | 'dry_run'
  | 'fail_fast'
> {
  io?: Partial<RunIo>
  signal?: AbortSignal
}

/** A case needs no id here. */
export type OneCase = Omit<WrittenCase, 'id'> & { id?: string }

/** The result, whatever the verdict. Throws UserError if the case or the agent is wrong, or the run was stopped. */
export async function runCase(
  testCase: OneCase,
  target: string | AgentFunction,
  { io = {}, signal, ...options }: CaseOptions = {},
): Promise<ResultEvent> {
  for (const name of OF_SUITES) if (name in options) throw ofSuites(name)
  const given = { ...options, ...(typeof target === 'string' ? { name: target } : { agent: target }) }
  const taken = await takeInline(given)
  return runOne(testCase, { ...taken, io, ...(signal && { signal }) })
}

const OF_SUITES = [
  'input',
  'cases',
  'agent',
  'name',
  'variant',
  'runs',
  'shard',
  'resume',
  'run',
  'tag',
  'dry_run',
  'fail_fast',
]

function ofSuites(name: string): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: `${name} does not apply to a single case`,
    hint: 'leave it out, or use runTests, which runs many',
  })
}

export interface OneRun {
  options: ProgramOptions
  inline: Inline
  io: Partial<RunIo>
  signal?: AbortSignal
}

export async function runOne(
  testCase: OneCase,
  { options, inline, io, signal = new AbortController().signal }: OneRun,
): Promise<ResultEvent> {
  requireKnownOptions(io, IO_KEYS, 'io')
  requireSignal(signal)
  const results: ResultEvent[] = []
  const keep = {
    name: 'result',
    write: (event: { type: string }) => void (event.type === 'result' && results.push(event as ResultEvent)),
  }
  const sinks = [...(io.sinks ?? []), keep]
  await hidingSecrets({ ...io, sinks }, (own) =>
    inOneLine(async () => {
      const cases = [{ id: 'case', ...testCase }]
      // One case, once: whatever the configuration says about runs and selections is about suites.
      const once = { ...options, runs: 1, tag: [], output: options.output ?? [] }
      return runSettings(await readSettings(once, workingDir(own), { ...inline, cases }), own, signal)
    }),
  )
  const [result] = results
  if (result) return result
  throw new UserError({
    code: 'NO_RESULT',
    message: 'the case has no result: the run was stopped',
    exitCode: 3,
  })
}

/** Test runners print only the message of an error: it says what is wrong with the case. */
async function inOneLine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UserError) || error.problems.length === 0) throw error
    const problems = error.problems.map(({ field, message }) => [field?.replace(/^cases\[0\]\.?/, ''), message])
    throw error.as({ message: problems.map((parts) => parts.filter(Boolean).join(': ')).join('; ') })
  }
}
