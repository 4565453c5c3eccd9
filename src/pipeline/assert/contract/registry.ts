// The rules of the contract of MCP servers. A new one is a file, a line here and a test.
import type { ContractSubject } from '../../../model/contract.js'
import type { Rule } from './rule.js'
import { answers } from './rules/answers.js'
import { cancellation } from './rules/cancellation.js'
import { cleanOutput } from './rules/clean-output.js'
import { errorAsText } from './rules/error-as-text.js'
import { exercised } from './rules/exercised.js'
import { idempotent } from './rules/idempotent.js'
import { injection } from './rules/injection.js'
import { listsEnd, listStable, names } from './rules/lists.js'
import { outputSchema } from './rules/output-schema.js'
import { progress } from './rules/progress.js'
import { protocol } from './rules/protocol.js'
import { reachable } from './rules/reachable.js'
import { readOnly } from './rules/read-only.js'
import { refusals } from './rules/refusals.js'
import { resultSize } from './rules/result-size.js'
import { schemas } from './rules/schemas.js'
import { starts } from './rules/starts.js'
import { staysUp } from './rules/stays-up.js'
import { version } from './rules/version.js'
import { wrongArguments } from './rules/wrong-arguments.js'

const RULES: readonly Rule[] = [
  starts,
  version,
  schemas,
  names,
  listsEnd,
  listStable,
  reachable,
  exercised,
  answers,
  staysUp,
  resultSize,
  protocol,
  outputSchema,
  wrongArguments,
  errorAsText,
  refusals,
  readOnly,
  idempotent,
  injection,
  cancellation,
  progress,
  cleanOutput,
]

export const rulesById: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]))

/** Those that say something about the subject. */
export function rulesFor(subject: ContractSubject): string[] {
  return RULES.filter(({ on, applies }) => on.includes(subject.kind) && (applies?.(subject) ?? true)).map(
    ({ id }) => id,
  )
}
