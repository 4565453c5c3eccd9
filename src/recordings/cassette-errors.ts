// What a recording says when it cannot answer, or cannot be used.
import { existsSync } from 'node:fs'
import { AgentError, UserError } from '../errors.js'
import type { ConversationId } from '../model/cassette.js'
import type { ModelCall } from '../model/model-call.js'
import { unsavedFileOf } from './unsaved.js'
import { caseTitle } from '../model/run-key.js'
import type { WrittenInteraction } from './read-cassette.js'
import { listed, show } from '../base/text.js'

/** How a cassette says that it has no answer at all. */
export const NONE_LEFT = 'Replay mismatch: no interaction'

export function missing(
  path: string,
  conversation: ConversationId,
  hat: string,
  position: number,
  all: readonly WrittenInteraction[],
): string {
  const ofCase = all.filter(({ case: id, variant }) => id === conversation.case && variant === conversation.variant)
  const who =
    conversation.case === '' ? 'this run' : caseTitle({ id: conversation.case, variant: conversation.variant })
  const where = `${position + 1}${conversation.run === 1 ? '' : `, run ${conversation.run}`}${conversation.attempt === 1 ? '' : `, attempt ${conversation.attempt}`}`
  const known = ofCase.length === 0 ? `nothing is recorded for ${who}` : `recorded for ${who}: ${countsOf(ofCase)}`
  return [
    `${NONE_LEFT} ${where} (hat: ${hat}) for ${who} in ${path}`,
    `${known}; record it with --replay ${path} --record-new`,
  ].join('\n')
}

function countsOf(interactions: readonly WrittenInteraction[]): string {
  const counts = new Map<string, number>()
  for (const { hat } of interactions) counts.set(hat, (counts.get(hat) ?? 0) + 1)
  return [...counts]
    .slice(0, 10)
    .map(([hat, count]) => `${count} of ${hat}`)
    .join(', ')
}

export function notOfACase({ lane, role }: ModelCall): AgentError {
  return new AgentError({
    code: 'config',
    message: `a call of ${role} (${lane}) belongs to no case, so it can be neither recorded nor replayed`,
    hint: 'it is made by a hook or a script outside a case',
  })
}

export function noSuchCassette(path: string, base: string, flag: string): UserError {
  const isInterrupted = existsSync(unsavedFileOf(base))
  return new UserError({
    code: 'NO_CASSETTE',
    subject: { flag },
    message: `no such recording: ${path}`,
    hint: isInterrupted
      ? `the run that recorded it was interrupted; resume it (viva test --resume its-events.jsonl), or record again`
      : `record it first: viva test … --record ${path}`,
  })
}

/** A request to the agent it recorded: none of it can answer for another agent. */
export function ofAnotherAgent(id: string, recorded: WrittenInteraction | undefined): UserError {
  const { file = '', line = 1, hat = '' } = recorded ?? {}
  return new UserError({
    code: 'OTHER_AGENT',
    message: `the recording is of another agent: it has answers of ${hat.slice('agent:'.length)}, and this run tests ${id}`,
    hint: `give the agent that was recorded (-n), record this one (--record), or call it (--live agent)`,
    problems: [{ file, line, message: `recorded of ${hat}` }],
  })
}

/** Recorded for other variants, or for one that had no name. */
export function ofOtherVariants(variant: string, all: readonly WrittenInteraction[]): UserError {
  const names = [...new Set(all.flatMap((item) => item.variant ?? []))]
  const has = names.length === 0 ? 'it was made with one, which has no name' : `it has ${listed(names, 20)}`
  return new UserError({
    code: 'OTHER_VARIANT',
    subject: { flag: '--replay' },
    message: `the recording has no answers of the variant "${variant}": ${has}`,
    hint: 'record it (--record), add what is missing (--replay FILE --record-new), or call it (--live agent)',
  })
}

/** A copy, or the leftover of a merge: there is no telling which of the two is meant. */
export function inTwoFiles({ case: id, file, line }: WrittenInteraction, other: string): UserError {
  return new UserError({
    code: 'BAD_CASSETTE',
    message: `the case ${show(id, 80)} is recorded in two files of this folder`,
    hint: 'remove one of them, or name the file that is meant',
    problems: [
      { file: other, line: 1, message: 'the first' },
      { file, line, message: 'the second' },
    ],
  })
}

export function leftOver(path: string): UserError {
  return new UserError({
    code: 'RECORDING_INTERRUPTED',
    message: `${path} holds what an interrupted run has recorded`,
    hint: `resume that run if it was viva test (--resume its-events.jsonl), or remove the file and record again`,
  })
}

export function keptText(cases: string[], path: string): string {
  return `${path} keeps its earlier answers for ${listed([...new Set(cases)], 5)}: calls that were answered then fail now`
}
