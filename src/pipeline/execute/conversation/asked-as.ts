// How a case asks besides its words: as whom, with which options, attachments and replaced tools. The answers of an old
// run are answers to a case only if that is the same.
import { hash } from 'node:crypto'
import { canonicalJson } from '../../../base/json/canonical-json.js'
import { isRecord } from '../../../base/record.js'
import type { AgentContext } from '../../../model/agent.js'
import type { TestCase } from '../../../model/case.js'
import { DEFAULT_LOCALE, DEFAULT_TEAM, DEFAULT_USER } from '../../../model/default-identity.js'

/** Undefined if words are all there is, as in most cases. */
export function askedAs(testCase: TestCase, { authorized, locale, metadata }: AgentContext): string | undefined {
  const { options, testing, turns, input, messages } = testCase
  const { user_id: user, team_id: team } = authorized
  const isPlain =
    user === DEFAULT_USER &&
    team === DEFAULT_TEAM &&
    locale === DEFAULT_LOCALE &&
    options === undefined &&
    testing === undefined &&
    isWords(messages ?? input) &&
    (turns === undefined || turns.every((turn) => turn.options === undefined && isWords(turn.input))) &&
    isEmpty(metadata)
  if (isPlain) return undefined
  const said = isWords(messages ?? input) ? undefined : (messages ?? input)
  const later = turns?.map((turn) => ({ options: turn.options, input: isWords(turn.input) ? undefined : turn.input }))
  const asked = { user, team, locale, metadata, options, testing, said, later }
  return hash('sha256', canonicalJson(asked)).slice(0, 16)
}

/** Texts with their roles: they are compared as they are. */
function isWords(input: unknown): boolean {
  if (typeof input === 'string' || input === undefined) return true
  if (Array.isArray(input)) return input.every(isWords)
  if (!isRecord(input)) return false
  return Object.keys(input).every((key) => key === 'role' || (key === 'content' && typeof input[key] === 'string'))
}

function isEmpty(record: object): boolean {
  for (const _key in record) return false
  return true
}
