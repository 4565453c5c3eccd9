// What shows that a judge can be relied on: how it did on answers that people labelled, bound to judge, model, prompt and criterion.
import * as v from 'valibot'
import { about, optional } from './schema-parts.js'

const interval = v.object({ low: v.number(), high: v.number() })
const measured = v.object({ value: v.number(), interval })
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** What the judge said against what people said, over the answers that people passed or failed. */
export const labelCounts = v.object({
  both_pass: count,
  judge_pass_only: count,
  people_pass_only: count,
  both_fail: count,
})

export const licenceSchema = v.object({
  format: v.literal(1),
  hash: about(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)), 'Of judge, model, prompt and criterion, as in results.'),
  judge: v.string(),
  model: optional(v.string()),
  criterion: about(v.unknown(), 'What it judges by, for people.'),
  labels: about(labelCounts, 'How the judge did where people passed or failed an answer.'),
  people: about(v.array(v.string()), 'Who labelled.'),
  agreement: measured,
  chance: v.number(),
  kappa: measured,
  false_passes: optional(measured),
  false_failures: optional(measured),
  stability: optional(about(measured, 'Of answers judged again, the share with the same verdict each time.')),
  probes: optional(
    about(
      v.record(v.string(), measured),
      'Of answers changed in a way that should not matter, the share with the same verdict.',
    ),
  ),
  date: v.string(),
})

export interface Licence extends v.InferOutput<typeof licenceSchema> {}
