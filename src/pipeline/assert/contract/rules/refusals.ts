// What does not exist is refused with an error.
import { finding, hint, type Rule } from '../rule.js'

export const refusals: Rule = {
  id: 'refusals',
  reason: 'a client learns of a misspelt name only by an error',
  fix: 'answer unknown methods with the code -32601 and unknown names with -32602, or isError: true for tools',
  on: ['refusals'],
  judge({ probes }) {
    return probes.flatMap((probe) => {
      if (probe.purpose !== 'unknown' || probe.ended !== 'answered') return []
      const { why = 'something unknown', failed, code } = probe
      if (failed === undefined) return [finding(`${why} was answered with a result instead of an error`, probe)]
      if (failed === 'words') return [finding(`${why} was answered with an error that is not marked as one`, probe)]
      if (why.includes('method') && code !== -32601)
        return [hint(`${why} was refused with the code ${code ?? 'none'} instead of -32601`, probe)]
      return []
    })
  },
}
