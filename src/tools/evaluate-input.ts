// What `test_evaluate` takes.
import * as v from 'valibot'
import { flag, integerBetween, object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { CRITERIA } from './criteria.js'
import { name, nonEmpty, workspaceId } from './parameters.js'
import { retryParameter } from './retry.js'
import { mockResponses } from './test-run.js'

const CRITERION_NAMES = [...Object.keys(CRITERIA), 'custom']
const TARGET = /^(?:scratchpad|session|output|file:.+)$/s

const evaluation = () =>
  object({
    criterion: about(
      v.picklist(CRITERION_NAMES, `{field} must be one of ${CRITERION_NAMES.join(', ')}, found {found}`),
      'What to judge by.',
    ),
    target: about(
      v.pipe(
        text(),
        v.check(
          (given) => TARGET.test(given),
          '{field} must be scratchpad, session, output or file:<path>, found {found}',
        ),
      ),
      'What the judge sees: scratchpad, session, output, or file:<path in the workspace>.',
    ),
    rubric: optional(
      about(
        v.pipe(
          v.record(v.string(), text(), '{field} must be an object of levels and strings, found {found}'),
          v.check(
            (levels) => Object.keys(levels).every((level) => /^[1-5]$/.test(level)),
            '{field}: levels are 1 to 5, found {found}',
          ),
        ),
        'What each score from 1 to 5 means; default: that of the criterion.',
      ),
    ),
    // The lowest possible score would always pass.
    threshold: optional(about(integerBetween(2, 5), 'Score needed to pass; default: that of the criterion.')),
    reference: optional(about(text(), 'A very good example to compare with.')),
    custom_prompt: optional(about(nonEmpty(), 'With criterion custom: the question.')),
    sub_criteria: optional(
      about(
        v.array(nonEmpty(), '{field} must be a list of strings, found {found}'),
        'Judged one by one; the score is their mean.',
      ),
    ),
    decompose: optional(
      about(
        flag(),
        'Parts of a built-in criterion: true judges each (the mean counts), false none; default: all in one answer.',
      ),
    ),
    label: optional(about(nonEmpty(), 'Name in the report; default: the criterion.')),
  })

export const evaluateInput = object({
  workspace_id: workspaceId(),
  evaluations: about(
    v.pipe(
      v.array(evaluation(), '{field} must be a list of evaluations, found {found}'),
      v.minLength(1, '{field}: no evaluations, so nothing would be judged'),
      v.maxLength(50, '{field}: at most 50 per call'),
    ),
    'What to judge.',
  ),
  judge_preset: optional(
    about(name(), 'Instructions of the judge: judge (built in), or presets/<name>.yml of the project.'),
  ),
  judge_backend: optional(
    about(
      text(),
      'Backend of the judge; haiku is claude with that model; default: the tested backend, with a warning.',
    ),
  ),
  judge_model: optional(about(nonEmpty(), 'Its model, if the backend has a choice.')),
  chain_of_thought: optional(about(flag(), 'Require reasons before each score; default: true.')),
  votes: optional(
    about(integerBetween(1, 9), 'How often to judge each; the median counts, agreement is reported; default: 1.'),
  ),
  mock_responses: optional(mockResponses()),
  cassette_name: optional(about(name(), 'The cassette to answer from or, with record: true, to write.')),
  record: optional(about(flag(), 'Record the judge in cassette_name; default: false.')),
  retry: optional(retryParameter()),
})

export type EvaluateInput = v.InferOutput<typeof evaluateInput>
