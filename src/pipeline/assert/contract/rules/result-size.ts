// Answers have a size that a model can use.
import { formatCount } from '../../../../base/format.js'
import { called, EVERYTHING, finding, hint, type Rule } from '../rule.js'

/** About 250,000 tokens: more than any model reads at once. */
const LARGE = 1024 * 1024

export const resultSize: Rule = {
  id: 'result-size',
  reason: 'clients refuse or cut answers that are too large, and no model can read them',
  fix: 'page the result, cut it and say so, or return a resource link',
  on: EVERYTHING,
  judge({ probes }) {
    return probes.flatMap((probe) => {
      if (probe.ended === 'too_large')
        return [finding(`the answer to ${called(probe)} is too large: ${probe.reason ?? ''}`, probe)]
      if (probe.bytes <= LARGE) return []
      return [hint(`the answer to ${called(probe)} has ${formatCount(probe.bytes)} bytes`, probe)]
    })
  },
}
