// Nothing but messages of the protocol is on the connection.
import { EVERYTHING, finding, type Rule } from '../rule.js'

export const cleanOutput: Rule = {
  id: 'clean-output',
  reason: 'clients read standard output as messages of the protocol; other text breaks the connection for some of them',
  fix: 'write logs to standard error',
  on: EVERYTHING,
  judge({ faults }) {
    const [first, ...more] = faults
    if (first === undefined) return []
    return [finding(`the server ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`)]
  },
}
