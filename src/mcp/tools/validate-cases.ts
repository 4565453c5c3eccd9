// `validate_cases`: what is wrong with cases, before anything runs.
import * as v from 'valibot'
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import { checkCases } from '../../library/check-cases.js'
import { object } from '../../model/case-schema-base.js'
import type { WrittenCase } from '../../model/case-schema.js'
import { about, anyMap, optional } from '../../model/schema-parts.js'
import { requireProject } from '../../tools/context.js'
import { defineTool } from '../../tools/define-tool.js'
import { nonEmpty } from '../../tools/parameters.js'
import { asTool } from './as-tool.js'
import { projectFile } from './find-run.js'

const MOST_PROBLEMS = 50
const MOST_CASES = 1_000
/** Whatever the agent is: nothing is sent to it. */
const ANY_AGENT = 'builtin:echo'

export const validateCases = asTool(
  defineTool({
    name: 'validate_cases',
    title: 'Validate cases',
    description:
      'Checks cases without running them: unknown fields, wrong values, assertions that cannot fail, repeated ids, missing files. Give input or cases. Call it after writing a case.',
    input: object({
      input: optional(about(nonEmpty(), 'A case file of the project.')),
      cases: optional(
        about(
          v.pipe(
            v.array(anyMap(), '{field} must be a list of cases, found {found}'),
            v.minLength(1, '{field}: no cases'),
            v.maxLength(MOST_CASES, `{field}: at most ${MOST_CASES} cases`),
          ),
          'Cases such as {"id": "greets", "input": "Hi", "assert": {"type": "contains", "value": "hello"}}.',
        ),
      ),
    }),
    output: v.object({
      valid: v.boolean(),
      cases: v.number(),
      problems: v.array(v.looseObject({ message: v.string() })),
      more_problems: optional(v.number()),
      warnings: v.array(v.string()),
    }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    isLive: () => false,
    holds: ({ valid }) => valid,
    handler: async ({ input, cases }, context) => {
      if ((input === undefined) === (cases === undefined)) throw inputOrCases()
      const project = requireProject(context)
      const { ids, problems, warnings } = await checkCases(
        {
          name: ANY_AGENT,
          ...defined({ input: input === undefined ? undefined : projectFile(project, input, 'input') }),
          ...(cases && { cases: cases as unknown as WrittenCase[] }),
        },
        { cwd: project, env: { ...context.env }, live: context.allow_live },
        context.signal,
      )
      const more = problems.length - MOST_PROBLEMS
      return {
        valid: problems.length === 0,
        cases: ids.length,
        problems: problems.slice(0, MOST_PROBLEMS).map((problem) => ({ ...problem })),
        ...(more > 0 && { more_problems: more }),
        warnings,
      }
    },
  }),
)

function inputOrCases(): UserError {
  return new UserError({
    code: 'BAD_ARGUMENTS',
    message: 'validate_cases needs input or cases, and not both',
    hint: 'for example {"input": "tests/cases.jsonl"}',
  })
}
