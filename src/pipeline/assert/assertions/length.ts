// `length` and `words`: how long the answer is.
import * as v from 'valibot'
import { isRecord } from '../../../base/record.js'
import { asText } from '../../../base/text.js'
import { boundEntries, describeBounds, isWithin, requireBounds } from '../bounds.js'
import { defineAssertion, type Check, type CompileContext } from '../define-assertion.js'
import { findsSeveral, onAnswer } from '../on-answer.js'
import { countWords } from '../words.js'

const schema = v.object(boundEntries)
type BoundsSpec = v.InferOutput<typeof schema> & { path?: string }

export const length = defineAssertion({
  type: 'length',
  summary: 'Characters of a string, elements of a list, keys of an object: min, max or exact',
  example: { type: 'length', max: 280 },
  on: 'answer',
  schema,
  compile(spec, context) {
    if (findsSeveral(spec, context) && !/[\]*]$/.test(spec.path ?? '')) {
      context.doubt(`${context.field}.path`, 'may find several values: their number is counted, not how long each is')
    }
    return compileCount(spec, context, sizeOf, 'list')
  },
})

export const words = defineAssertion({
  type: 'words',
  summary: 'Words of the answer, in any script: min, max or exact',
  example: { type: 'words', min: 3, max: 50 },
  on: 'answer',
  schema,
  compile: (spec, context) =>
    compileCount(spec, context, (answer) => ({ count: countWords(asText(answer)), unit: 'words' }), 'each'),
})

interface Size {
  count: number
  unit: string
}

function compileCount(
  spec: BoundsSpec,
  context: CompileContext,
  measure: (answer: unknown) => Size,
  several: 'each' | 'list',
): Check {
  const bounds = requireBounds(spec, context.field)
  return onAnswer(
    spec,
    context,
    (answer) => {
      const { count, unit } = measure(answer)
      if (isWithin(count, bounds)) return { passed: true }
      const expected = describeBounds(bounds)
      return { passed: false, message: `output has ${count} ${unit}, expected ${expected}`, expected, actual: count }
    },
    { several },
  )
}

function sizeOf(answer: unknown): Size {
  if (Array.isArray(answer)) return { count: answer.length, unit: 'elements' }
  if (isRecord(answer)) return { count: Object.keys(answer).length, unit: 'keys' }
  let count = 0
  for (const _ of asText(answer)) count++
  return { count, unit: 'characters' }
}
