// What a program or a script may say it knows about an answer, and what each field must be: a call that cannot be read
// would look as if it had never been made.
import * as v from 'valibot'
import { lostInJson } from '../base/json/lost-in-json.js'
import { isAmount, ownValue } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import { toolCall, usage } from '../model/result-schema.js'

export interface EvidenceField {
  schema: v.GenericSchema
  /** What it must be, after "must be". */
  what: string
}

const anything: EvidenceField = { schema: v.unknown(), what: 'anything' }
const amount: EvidenceField = { schema: v.custom(isAmount), what: 'a number of at least 0' }
export const TEXT_FIELD: EvidenceField = { schema: v.string(), what: 'a text' }

export const EVIDENCE_FIELDS = {
  output: anything,
  input: anything,
  expected: anything,
  metadata: { schema: v.record(v.string(), v.unknown()), what: 'an object' },
  tool_calls: { schema: v.array(toolCall), what: 'a list of calls such as { name: "book", args: { city: "Rome" } }' },
  finish_reason: TEXT_FIELD,
  refusal: { schema: v.boolean(), what: 'true or false' },
  awaiting_input: { schema: v.boolean(), what: 'true or false' },
  duration_ms: amount,
  usage: { schema: usage, what: '{ input_tokens, output_tokens, total_tokens }' },
  cost_dollars: amount,
  exit_code: { schema: v.pipe(v.number(), v.integer()), what: 'a whole number' },
  stdout: TEXT_FIELD,
  stderr: TEXT_FIELD,
} satisfies Record<string, EvidenceField>

/** A copy, as JSON has it. What JSON cannot hold would look as if nothing were there. */
export function asData(evidence: unknown): unknown {
  const lost = lostInJson(evidence)
  if (!lost) return JSON.parse(JSON.stringify(evidence)) as unknown
  const place = lost.path === '' ? 'what is checked' : lost.path.replace(/^\./, '')
  throw badEvidence(`${place} is ${lost.what}`, 'evidence is plain data: strings, numbers, lists, objects')
}

/** Throws for the first field that is unknown, or not what it must be. */
export function requireFields(given: Record<string, unknown>, fields: Record<string, EvidenceField>): void {
  for (const [key, value] of Object.entries(given)) {
    const field = ownValue(fields, key)
    if (!field) throw unknownField(key, Object.keys(fields))
    if (value !== undefined && !v.is(field.schema, value))
      throw badEvidence(`${key} must be ${field.what}, found ${show(value, 80)}`, `give ${field.what}, or leave it out`)
  }
}

function unknownField(key: string, known: string[]): UserError {
  const near = suggest(key, known)
  return badEvidence(
    `unknown field "${key}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    `known: ${known.join(', ')}; custom values go into output`,
  )
}

export function badEvidence(message: string, hint: string): UserError {
  return new UserError({ code: 'BAD_EVIDENCE', message: `evidence: ${message}`, hint })
}
