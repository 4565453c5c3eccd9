// `script`: a function of the user's judges the answer.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import { isRecord, readNonEmpty } from '../../../base/record.js'
import { preview } from '../../../base/text.js'
import { doubtOptions } from '../closed-object.js'
import { defineAssertion, SpecError, type Verdict } from '../define-assertion.js'

const ref = v.optional(v.pipe(v.string(), v.nonEmpty()))

export const script = defineAssertion({
  type: 'script',
  summary:
    'A script function gets (output, input, expected, {metadata, evidence}) and returns a boolean or {pass, message, score}',
  example: { type: 'script', script: 'scripts.test.Check' },
  on: 'helper',
  schema: v.object({
    script: ref,
    use: ref,
    options: v.optional(v.looseObject({ metadata: v.optional(v.record(v.string(), v.unknown())) })),
  }),

  compile(spec, context) {
    const { field } = context
    doubtOptions(spec.options, ['metadata'], context)
    if ((spec.script === undefined) === (spec.use === undefined)) {
      throw new SpecError(
        `${field}.script`,
        'give the function as script ("scripts.test.Check") or use ("scripts:tests.check")',
      )
    }
    const name = spec.script ?? spec.use ?? ''
    if (!/^scripts[.:]./.test(name)) {
      const key = spec.script === undefined ? 'use' : 'script'
      throw new SpecError(`${field}.${key}`, `must begin with "scripts." or "scripts:", found "${name}"`)
    }
    const metadata = spec.options?.metadata ?? {}
    return async (evidence, services) => {
      const { output, input, expected } = evidence
      const args = [output ?? null, input ?? null, expected ?? null, { metadata, evidence: plain(evidence) }]
      return readAnswer(name, await services.script(name, args))
    }
  },
})

/** The raw reply may hold anything; a script in another process gets data only. */
function plain(evidence: Evidence): Omit<Evidence, 'reply'> {
  const { reply: _reply, ...rest } = evidence
  return rest
}

function readAnswer(name: string, answer: unknown): Verdict {
  if (answer === true) return { passed: true }
  if (answer === false) return { passed: false, message: `${name} returned false` }
  if (!isRecord(answer)) return unusable(name, answer)
  const { pass, passed = pass, message, score } = answer
  if (typeof passed !== 'boolean' || (pass !== undefined && pass !== passed)) return unusable(name, answer)
  if (score !== undefined && score !== null && !Number.isFinite(score)) return unusable(name, answer)
  const text = readNonEmpty(message)
  return {
    passed,
    ...(text !== undefined && { message: text }),
    ...(text === undefined && !passed && { message: `${name} says it does not pass` }),
    ...(typeof score === 'number' && { score }),
  }
}

function unusable(name: string, answer: unknown): Verdict {
  const error = `${name} returned neither a boolean nor {pass, message, score}: ${preview(answer)}`
  return { passed: false, error, error_kind: 'script' }
}
