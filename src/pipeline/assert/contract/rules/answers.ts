// A call is answered.
import { called, EVERYTHING, finding, hint, type Rule } from '../rule.js'

export const answers: Rule = {
  id: 'answers',
  reason: 'a model waits for every call; one that is never answered blocks the conversation',
  fix: 'answer every request with a result or an error; for long work send progress notifications, and raise --timeout (a call may take a fifth of it)',
  on: EVERYTHING,
  judge({ probes }) {
    return probes.flatMap((probe) => {
      if (probe.ended !== 'timeout') return []
      const what = `no answer to ${called(probe)} within ${probe.ms} ms`
      return [probe.works ? hint(`${what}, though it reported progress`, probe) : finding(what, probe)]
    })
  },
}
