// A server goes on after a call was cancelled.
import { finding, isUnknownPing, type Rule } from '../rule.js'

export const cancellation: Rule = {
  id: 'cancellation',
  reason: 'clients cancel calls when the user stops a conversation, and go on using the server',
  fix: 'end the work of a cancelled request, ignore the ids of unknown ones, and go on answering',
  on: ['cancellation'],
  judge({ probes }) {
    const broken = probes.find(
      (probe) =>
        probe.purpose === 'after' &&
        (probe.ended !== 'answered' || (probe.failed === 'error' && !isUnknownPing(probe))),
    )
    return broken
      ? [
          finding(
            `after a call was cancelled, the server no longer answers as before: ${broken.reason ?? broken.said ?? ''}`,
            broken,
          ),
        ]
      : []
  },
}
