// A call that is taken back leaves a server that goes on.
import { finding, type Rule } from '../rule.js'

export const cancellation: Rule = {
  id: 'cancellation',
  reason: 'clients take calls back when the user stops a conversation, and go on using the server',
  fix: 'end the work of a cancelled request, ignore the ids of unknown ones, and go on answering',
  on: ['cancellation'],
  judge({ probes }) {
    const broken = probes.find(
      ({ purpose, ended, failed }) => purpose === 'after' && (ended !== 'answered' || failed === 'error'),
    )
    return broken
      ? [
          finding(
            `after a call was taken back, the server no longer answers as before: ${broken.reason ?? broken.said ?? ''}`,
            broken,
          ),
        ]
      : []
  },
}
