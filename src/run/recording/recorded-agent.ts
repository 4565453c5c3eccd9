// `-n recorded:events.jsonl`: an agent that gives the answers of a finished run, so that they can be judged again at no cost.
import { relative } from 'node:path'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { asText, show } from '../../base/text.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { ResultEvent, TurnResult } from '../../model/event.js'
import { wholeSession } from '../../model/bound-session.js'
import { textOf } from '../../model/last-user-text.js'
import type { Message } from '../../model/message.js'
import { openResultIndex } from '../../pipeline/record/result-index.js'

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
    sees: 'nothing',
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
    hint: 'take the event file of a run with one: viva test … --variant NAME -o one.jsonl',
  })
}

function answerOf(result: ResultEvent, request: AgentRequest, shown: string): AgentReply {
  const { turn = 1 } = request
  const said = result.turns ? result.turns[turn - 1] : turn === 1 ? result : undefined
  if (!said || ('turn' in said && said.status === 'not_run'))
    throw missing(`${shown} has no answer in turn ${turn} of the case ${show(result.id, 80)}`)
  requireSameInput(result, said, request.messages, shown)
  const failure = failureOf(said)
  if (failure !== undefined) throw new AgentError({ code: 'bad_response', message: failure, retry: false })
  return replyOf(said)
}

/** What the agent was asked then; of a history every message, of a turn the last one. */
function requireSameInput(result: ResultEvent, said: Said, messages: Message[], shown: string): void {
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

function textsOf(input: unknown): string[] {
  const list = Array.isArray(input) ? input : [input]
  return list.map((item: unknown) => {
    if (!isRecord(item)) return `user: ${typeof item === 'string' ? item : ''}`
    const { role = 'user', content } = item as Partial<Message>
    return `${role}: ${textOf(content ?? null)}`
  })
}

type Said = ResultEvent | TurnResult

/** No answer came then. A wrong answer, or a check that failed, is an answer all the same. */
function failureOf({ error, error_kind, status }: Said): string | undefined {
  if (status !== 'failed' || error_kind === undefined || !NO_ANSWER.has(error_kind)) return undefined
  return `the recorded run had no answer: ${error ?? error_kind}`
}

const NO_ANSWER = new Set<string>(['agent', 'timeout', 'crashed', 'hook'])

function replyOf(said: Said): AgentReply {
  const { tool_calls = [], usage, cost_dollars, finish_reason, exit_code, stderr } = said
  const stdout = 'stdout' in said ? said.stdout : undefined
  const whole = 'turn' in said ? undefined : said
  const { output = null, output_encoding } = said as { output?: unknown; output_encoding?: 'base64' }
  return {
    content: output,
    tool_calls,
    ...(finish_reason === 'error' && isRecord(output) && { error: output['error'] }),
    duration_ms: answeredAfter(said),
    ...defined({
      // What was only read from the words, or from a tool that was called, is found again.
      awaiting_input: said.awaiting_reason === 'agent_declared' ? true : undefined,
      input_hint: 'input_hint' in said ? said.input_hint : undefined,
      usage,
      cost_dollars,
      finish_reason,
      exit_code,
      // What it wrote is written down only where it is not the output.
      stdout: stdout ?? (exit_code === undefined || output_encoding ? undefined : asText(output)),
      stderr,
      output_encoding,
      first_chunk_ms: 'first_chunk_ms' in said ? said.first_chunk_ms : undefined,
      session: whole?.session && wholeSession(whole.session),
      spans: whole?.spans_left_out === undefined ? whole?.spans : undefined,
      // When they began then says nothing now; their order stays.
      trace: whole?.trace?.map(({ start_ms: _start, ...step }) => step),
    }),
  }
}

/** Of a whole case at most that long: it was over when the first judge or script was asked. */
function answeredAfter(said: Said): number {
  const asked = (said.assertions ?? []).flatMap(({ start_ms }) => start_ms ?? [])
  return 'turn' in said ? said.duration_ms : Math.min(said.duration_ms, ...asked)
}

/** Never retried: it will be missing again. */
function missing(message: string): AgentError {
  return new AgentError({
    code: 'config',
    message,
    hint: 'run the cases with the agent itself, and take that file',
    retry: false,
  })
}
