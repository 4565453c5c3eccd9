// Asks a judge, following what the assertion says about whom to ask and how.
import * as v from 'valibot'
import { messageOf } from '../../../base/message-of.js'
import { AgentError } from '../../../errors.js'
import type { Evidence } from '../../../model/evidence.js'
import { helperId } from '../../../model/helper.js'
import type { AssertServices } from '../define-assertion.js'
import { changedFiles } from './changed-files.js'
import { judgeMessage } from './prompt.js'
import { UnusableAnswer, type Examined, type Signature } from './verdict.js'

/** Fields shared by the assertions that ask a judge. */
export const judgeEntries = {
  use: v.optional(v.pipe(v.string(), v.nonEmpty())),
  options: v.optional(
    v.looseObject({ connector: v.optional(v.string()), metadata: v.optional(v.record(v.string(), v.unknown())) }),
  ),
  /** The judge also sees the files that the agent added and changed in its workspace. */
  files: v.optional(v.boolean()),
}

export const JUDGE_OPTIONS = ['connector', 'metadata']

export interface JudgeSpec {
  use?: string | undefined
  files?: boolean | undefined
  options?: { connector?: string | undefined; metadata?: Record<string, unknown> | undefined } | undefined
}

/** A judge that sees more is asked another question: its labels are its own. */
export function sees({ files }: JudgeSpec): { files?: true } {
  return files === true ? { files } : {}
}

export interface JudgeAsk<T> {
  spec: JudgeSpec
  criteria: unknown
  rubric?: Record<string, string>
  /** With a rubric: what is scored besides the whole, by id. */
  parts?: Record<string, string> | undefined
  evidence: Evidence
  services: AssertServices
  /** Throws UnusableAnswer. */
  parse(answer: unknown, examined: Examined): T
}

/** What the judge said, and how often it had to be asked: if an answer cannot be used, the judge is asked once more. */
export async function askJudge<T>(ask: JudgeAsk<T>): Promise<{ said: T; asked: number }> {
  try {
    return { said: await askOnce(ask), asked: 1 }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === undefined || ask.services.signal.aborted) throw error
    return { said: await askOnce(ask, problem).catch((second) => throwBoth(error, second)), asked: 2 }
  }
}

/** If no second answer came, the first one says most. */
function throwBoth(first: unknown, second: unknown): never {
  if (problemOf(second) !== undefined) throw second
  throw new Error(`${messageOf(first)}; asked once more: ${messageOf(second)}`, { cause: second })
}

async function askOnce<T>(ask: JudgeAsk<T>, problem?: string): Promise<T> {
  const { spec, criteria, rubric, parts, evidence, services } = ask
  const { output, input, expected, case_id, tool_calls } = evidence
  const { connector, metadata: own } = spec.options ?? {}
  const metadata = expected === undefined ? own : { expected, ...own }
  const changed = spec.files === true ? await changedFiles(evidence, services) : undefined
  const { text, data, nonce, olderText } = judgeMessage({
    case_id,
    output,
    input,
    tool_calls,
    ...(changed && { changed }),
    criteria,
    ...(rubric && { rubric }),
    ...(parts && { parts }),
    ...(metadata && { metadata }),
    ...(problem !== undefined && { problem }),
  })
  const olderSchema = rubric ? RATING_SCHEMA : VERDICT_SCHEMA
  const schema = signedSchema(olderSchema, nonce)
  // A user's own validator may not know about nonces.
  const signature: Signature = { nonce, isRequired: isOurs(spec.use) }
  let isUnsigned = false
  const answer = await services.judge({
    role: 'validator',
    ...(spec.use !== undefined && { use: spec.use }),
    test_id: case_id,
    data,
    text,
    schema,
    signed: { nonce, text, schema, older: { text: olderText, schema: olderSchema } },
    onUnsigned: () => {
      isUnsigned = true
    },
    ...(connector !== undefined && { options: { connector } }),
    signal: services.signal,
  })
  return ask.parse(answer, { shown: [output, input, tool_calls, changed], ...(!isUnsigned && { signature }) })
}

/** Also its ejected copies, which have the same id. */
function isOurs(use: string | undefined): boolean {
  return use === undefined || helperId(use) === 'viva.judge'
}

/** What is wrong with an answer that came but cannot be used; undefined if none came. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof UnusableAnswer) return error.problem
  if (error instanceof AgentError && error.code === 'cut_off') return 'it was cut off'
  return undefined
}

function signedSchema(schema: typeof VERDICT_SCHEMA | typeof RATING_SCHEMA, nonce: string): Record<string, unknown> {
  return {
    ...schema,
    properties: { ...schema.properties, nonce: { type: 'string', enum: [nonce] } },
    required: [...schema.required, 'nonce'],
  }
}

const text = { type: 'string' }
const VERDICT_SCHEMA = {
  type: 'object',
  properties: { reason: text, passed: { type: 'boolean' }, score: { type: 'number' } },
  required: ['reason', 'passed', 'score'],
  additionalProperties: false,
}
const RATING_SCHEMA = {
  type: 'object',
  properties: { reasoning: text, score: { type: 'integer', enum: [1, 2, 3, 4, 5] } },
  required: ['reasoning', 'score'],
  additionalProperties: false,
}
