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
      'What is judged.',
    ),
    target: about(
      v.pipe(
        text(),
        v.check(
          (given) => TARGET.test(given),
          '{field} must be scratchpad, session, output or file:<path>, found {found}',
        ),
      ),
      'What the judge is shown: scratchpad, session, output, or file:<path in the workspace>.',
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
        'What each level from 1 to 5 means; default: that of the criterion.',
      ),
    ),
    // The lowest possible score would always pass.
    threshold: optional(about(integerBetween(2, 5), 'The score it takes to pass; default: that of the criterion.')),
    reference: optional(about(text(), 'What a very good one looks like, to compare with.')),
    custom_prompt: optional(about(nonEmpty(), 'With the criterion custom: what is asked.')),
    sub_criteria: optional(
      about(
        v.array(nonEmpty(), '{field} must be a list of strings, found {found}'),
        'Judged one by one; their mean is the score.',
      ),
    ),
    decompose: optional(
      about(
        flag(),
        'Parts of a built-in criterion: true judges them one by one (the mean counts), false not at all; default: in one answer.',
      ),
    ),
    label: optional(about(nonEmpty(), 'What the report calls it; default: the criterion.')),
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
    about(name(), 'What the judge is told: judge (built in), or a file presets/<name>.yml of the project.'),
  ),
  judge_backend: optional(
    about(
      text(),
      'What plays the judge; haiku is claude with that model; default: the tested backend, with a warning.',
    ),
  ),
  judge_model: optional(about(nonEmpty(), 'Its model, if the backend lets it be chosen.')),
  chain_of_thought: optional(about(flag(), 'Reasons are required before each score; default: true.')),
  votes: optional(
    about(integerBetween(1, 9), 'How often each is judged; the median counts, agreement is reported; default: 1.'),
  ),
  mock_responses: optional(mockResponses()),
  cassette_name: optional(about(name(), 'A cassette to answer from; with record: true, to record.')),
  record: optional(about(flag(), 'Record the judge under cassette_name; default: false.')),
  retry: optional(retryParameter()),
})

export type EvaluateInput = v.InferOutput<typeof evaluateInput>
