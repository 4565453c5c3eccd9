// `viva emit`: appends an event to the file that the orchestrator reads.
import { appendFileSync } from 'node:fs'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { epochNow } from '../time/iso-now.js'

/** The variables that name the file; the second for programs written for Ralph. */
export const EVENTS_VARIABLES = ['VIVA_EVENTS_FILE', 'RALPH_EVENTS_FILE'] as const

export interface Emitted {
  topic: string
  payload?: string
  target?: string
}

export function emitEvent({ topic, payload = '', target }: Emitted, env: Record<string, string | undefined>): void {
  const path = EVENTS_VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== '')
  if (path === undefined) throw notOrchestrated()
  if (!/^[^\s"<>]+$/.test(topic)) throw badTopic(topic)
  const line = JSON.stringify({ ts: epochNow(), topic, payload, ...(target !== undefined && { target }) })
  try {
    // One write: lines of concurrent programs do not mix.
    appendFileSync(path, `${line}\n`)
  } catch (error) {
    throw cannotWrite(path, error, `check ${EVENTS_VARIABLES[0]}`)
  }
}

function notOrchestrated(): UserError {
  return new UserError({
    code: 'NO_EVENTS_FILE',
    message: `nowhere to publish to: neither ${EVENTS_VARIABLES.join(' nor ')} is set`,
    hint: 'viva emit is for agents that viva run has started',
  })
}

function badTopic(topic: string): UserError {
  return new UserError({
    code: 'BAD_TOPIC',
    message: `"${topic}" is not a topic`,
    hint: 'a topic is words joined by dots, e.g. build.done',
  })
}
