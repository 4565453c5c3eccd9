// The shape of an assertion file: what it is called, what it takes, and how a spec becomes a check.
import type * as v from 'valibot'
import { UserError } from '../../errors.js'
import type { AssertionSpec, Check, CompiledAssertion, ExpectedChoice, Verdict } from '../../model/assertion.js'

export type { AssertServices, Check, CompiledAssertion, Verdict } from '../../model/assertion.js'

export interface CompileContext {
  /** Where the assertion is, e.g. `assert[1]`. */
  field: string
  /** Reports a possible mistake: a warning, with `--strict` an error. */
  doubt(field: string, message: string): void
  /** All tools of the agent, if they are known. */
  tools?: readonly string[] | undefined
  /** Compiles the members of `all`, `any`, `none`. */
  compile(members: unknown[], field: string): CompiledAssertion[]
}

export interface AssertionDefinition {
  type: string
  summary: string
  example: AssertionSpec
  /** What it reads. Those on the answer accept `path` to look at a part of it. */
  on: 'answer' | 'actions' | 'run' | 'workspace' | 'state' | 'session' | 'helper' | 'group'
  /** Its own fields; the common ones are checked by the caller. */
  schema: v.ObjectSchema<v.ObjectEntries, undefined>
  compile(spec: AssertionSpec, context: CompileContext): Check
  /** Of an assertion about a choice: what should be chosen. Its verdicts say what was (`chosen`). */
  choiceOf?(spec: AssertionSpec): ExpectedChoice | undefined
}

interface DefinitionOf<Entries extends v.ObjectEntries> extends Omit<AssertionDefinition, 'schema' | 'compile'> {
  schema: v.ObjectSchema<Entries, undefined>
  compile(
    spec: v.InferOutput<v.ObjectSchema<Entries, undefined>> & Pick<AssertionSpec, 'path' | 'negate'>,
    context: CompileContext,
  ): Check
}

/** The cast is safe: `compile` is only called with a spec that its schema has accepted. */
export function defineAssertion<const Entries extends v.ObjectEntries>(
  definition: DefinitionOf<Entries>,
): AssertionDefinition {
  return definition as unknown as AssertionDefinition
}

/** A mistake in how an assertion is written: found when the case is loaded, before anything runs. */
export class SpecError extends UserError {
  /** Path of the field, e.g. `assert[1].path`. */
  readonly field: string

  constructor(field: string, message: string, suggestion?: string) {
    super({
      code: 'BAD_ASSERTION',
      message: `${field}: ${message}`,
      problems: [suggestion === undefined ? { field, message } : { field, message, suggestion }],
    })
    this.name = 'SpecError'
    this.field = field
  }
}

/** The run has no such evidence: an error that says so, never a failure and never a pass. */
export function notAvailable(message: string): Verdict {
  return { passed: false, error: message, error_kind: 'input' }
}
