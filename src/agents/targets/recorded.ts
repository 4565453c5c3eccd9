// `-n recorded:events.jsonl`: an agent that gives the answers of a finished run, so that they can be judged again for free.
import { relative } from 'node:path'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { ResultEvent } from '../../model/event.js'
import { textOf } from '../../model/last-user-text.js'
import type { Message } from '../../model/message.js'
import { openResultIndex } from '../../pipeline/record/result-index.js'
import { recordedReply, type Said } from '../reply/recorded-reply.js'

export async function createRecordedAgent(path: string, cwd: string): Promise<Agent> {
  const shown = relative(cwd, path)
  const index = await openResultIndex(path)
  if (index.start.variants) {
    index.close()
    throw severalVariants(shown, index.start.variants)
  }
  return {
    id: `recorded:${shown}`,
    recorded: path,
    ...(index.start.plan === undefined && { recordedBy: 'input' }),
    sees: 'nothing',
    callable: async () => undefined,
    send: async (request) => {
      const { case_id: id = '', run = 1 } = request.call
      const result = index.read({ id, run })
      if (!result) throw missing(`${shown} has no result of the case ${show(id, 80)}${run > 1 ? `, run ${run}` : ''}`)
      return answerOf(result, request, shown)
    },
    close: async () => index.close(),
  }
}

function severalVariants(shown: string, variants: ReadonlyArray<{ name: string }>): UserError {
  return new UserError({
    code: 'SEVERAL_VARIANTS',
    message: `${shown} has the answers of ${variants.length} variants: ${variants.map(({ name }) => name).join(', ')}`,
    hint: 'use the event file of a run with one variant: viva test … --variant NAME -o one.jsonl',
  })
}

function answerOf(result: ResultEvent, request: AgentRequest, shown: string): AgentReply {
  const { turn = 1 } = request
  const said = result.turns ? result.turns[turn - 1] : turn === 1 ? result : undefined
  if (!said || ('turn' in said && said.status === 'not_run'))
    throw missing(`${shown} has no answer in turn ${turn} of the case ${show(result.id, 80)}`)
  requireSameInput(result, said, request.messages, shown)
  if (result.asked !== undefined && request.asked !== undefined && result.asked !== request.asked)
    throw missing(
      `${show(result.id, 80)} asks something else than in ${shown}: its turns, user, team, locale, options, metadata, attachments or replaced tools changed`,
    )
  const failure = failureOf(said)
  if (failure !== undefined) throw new AgentError({ code: 'bad_response', message: failure, retry: false })
  return recordedReply(said)
}

/** What the agent was asked then; every message of a history, the last one of a turn. */
function requireSameInput(result: ResultEvent, said: Said, messages: Message[], shown: string): void {
  if (isSameText(said.input, messages, result.turns !== undefined)) return
  const before = textsOf(said.input)
  const now = messages.map(({ role, content }) => `${role}: ${textOf(content)}`)
  const compared = result.turns ? now.slice(-before.length) : now
  const at = before.findIndex((text, index) => text !== compared[index])
  if (at < 0 && before.length === compared.length) return
  const [then, today] = [before[at] ?? before.at(-1), compared[at] ?? compared.at(-1)]
  throw missing(
    `the input of ${show(result.id, 80)} has changed since ${shown}: then ${show(then, 120)}, now ${show(today, 120)}`,
  )
}

/** Most inputs are one string. */
function isSameText(input: unknown, messages: Message[], isTurn: boolean): boolean {
  const last = messages.at(-1)
  return (
    typeof input === 'string' && last?.content === input && last.role === 'user' && (isTurn || messages.length === 1)
  )
}

function textsOf(input: unknown): string[] {
  const list = Array.isArray(input) ? input : [input]
  return list.map((item: unknown) => {
    if (!isRecord(item)) return `user: ${typeof item === 'string' ? item : ''}`
    const { role = 'user', content } = item as Partial<Message>
    return `${role}: ${textOf(content ?? null)}`
  })
}

/** The call failed. A wrong answer, or one that failed a check, is still an answer. */
function failureOf({ error, error_kind, status }: Said): string | undefined {
  if (status !== 'failed' || error_kind === undefined || !NO_ANSWER.has(error_kind)) return undefined
  return `the recorded run had no answer: ${error ?? error_kind}`
}

const NO_ANSWER = new Set<string>(['agent', 'timeout', 'crashed', 'hook'])

/** Never retried: it will be missing again. */
function missing(message: string): AgentError {
  return new AgentError({
    code: 'config',
    message,
    hint: 'run the cases with the agent itself, and use that file',
    retry: false,
  })
}
