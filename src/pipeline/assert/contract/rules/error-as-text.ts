// Errors are marked as errors. With valid arguments only a hint: the words may be data.
import { called, hint, TOOLS, type Rule } from '../rule.js'

export const errorAsText: Rule = {
  id: 'error-as-text',
  reason: 'a model takes a result that is not marked as an error for what it asked for',
  fix: 'return isError: true with the message as its content',
  on: TOOLS,
  judge({ probes }) {
    const found = probes.find(({ purpose, failed }) => purpose === 'typical' && failed === 'words')
    return found
      ? [
          hint(
            `${called(found)} was answered with what reads like an error, but is not marked as one: ${found.said ?? ''}`,
            found,
          ),
        ]
      : []
  },
}
