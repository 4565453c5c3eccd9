// Lists end, repeat nothing, and are the same the next time unless a change was announced.
import type { ListsSeen } from '../../../../model/contract.js'
import { finding, hint, type Judged, type Rule } from '../rule.js'

export const listsEnd: Rule = {
  id: 'lists-end',
  reason: 'clients read a list page by page until there is no cursor',
  fix: 'return no nextCursor with the last page, and a new one with every other',
  on: ['lists'],
  judge: ({ lists, probes }) =>
    lists.flatMap(({ kind, problem }) =>
      problem === undefined
        ? []
        : [
            finding(
              `the list of ${kind} cannot be read to its end: ${problem}`,
              probes.findLast(({ why }) => why === kind),
            ),
          ],
    ),
}

export const names: Rule = {
  id: 'names',
  reason: 'a name is how a model or a client calls something: two of a kind cannot be told apart',
  fix: 'give each a name of its own, of letters, digits, "_", "-" and "."',
  on: ['lists'],
  judge: ({ lists }) => lists.flatMap(nameProblems),
}

/** Pages that come again repeat everything: that is said by the other rule. */
function nameProblems({ kind, problem, repeated, unnamed, odd_names: odd }: ListsSeen): Judged[] {
  if (problem !== undefined) return []
  return [
    ...(repeated.length > 0 ? [finding(`the list of ${kind} has more than one ${quoted(repeated)}`)] : []),
    ...(unnamed > 0 ? [finding(`the list of ${kind} has ${unnamed} without a name or an address`)] : []),
    ...(odd.length > 0 ? [hint(`names of ${kind} that not every client accepts: ${quoted(odd)}`)] : []),
  ]
}

export const listStable: Rule = {
  id: 'list-stable',
  reason:
    'clients keep a list until they are told that it has changed; a user has approved the tools that were listed first',
  fix: 'announce "listChanged" and send the notification when the list changes, or keep it as it is',
  on: ['lists', 'tool'],
  judge: ({ lists }) => lists.flatMap(changes),
}

/** Resources come and go with what they describe. */
function changes({ kind, changed, reworded }: ListsSeen): Judged[] {
  const as = kind === 'tools' || kind === 'prompts' ? finding : hint
  return [
    ...(changed.length > 0
      ? [as(`the list of ${kind} has changed without a notification: ${changed.slice(0, 5).join(', ')}`)]
      : []),
    ...(reworded.length > 0
      ? [as(`what the list of ${kind} says about ${quoted(reworded)} has changed without a notification`)]
      : []),
  ]
}

function quoted(names: string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name}"`)
  return names.length > 5 ? `${shown.join(', ')} and ${names.length - 5} more` : shown.join(', ')
}
