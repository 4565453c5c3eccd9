// The server starts and answers to initialize.
import { EVERYTHING, finding, type Rule } from '../rule.js'

export const starts: Rule = {
  id: 'starts',
  reason: 'nothing of a server can be used that does not start',
  fix: 'run the command by hand and look at what it prints',
  on: EVERYTHING,
  judge: ({ not_started }) => (not_started === undefined ? [] : [finding(`the server did not start: ${not_started}`)]),
}
