// The server starts and answers initialize.
import { EVERYTHING, finding, type Rule } from '../rule.js'

export const starts: Rule = {
  id: 'starts',
  reason: 'a server that does not start cannot be used at all',
  fix: 'run the command by hand and read what it prints; for a URL, check that the server is up',
  on: EVERYTHING,
  judge: ({ not_started }) => (not_started === undefined ? [] : [finding(`the server did not start: ${not_started}`)]),
}
