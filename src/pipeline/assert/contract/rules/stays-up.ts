// The server survives what it is asked.
import { called, EVERYTHING, finding, type Rule } from '../rule.js'

export const staysUp: Rule = {
  id: 'stays-up',
  reason: 'a server that ends takes all its tools and its state with it',
  fix: 'catch what the handler throws, also after it has answered, and return an error; the exit code and the last output are in the answer below',
  on: EVERYTHING,
  judge({ probes }) {
    return probes.flatMap((probe) => {
      const { ended, reason = 'no reason given' } = probe
      if (ended === 'closed') return [finding(`the server ended during ${called(probe)}: ${reason}`, probe)]
      // Over HTTP it may be up all the same.
      if (ended === 'failed') return [finding(`${called(probe)} failed without an answer: ${reason}`, probe)]
      // A call that was never answered leaves a server that may be busy: that is said once, by the rule about answers.
      if (probe.down !== undefined && probe.ended === 'answered')
        return [finding(`the server did not answer a ping after ${called(probe)}: ${probe.down}`, probe)]
      return []
    })
  },
}
