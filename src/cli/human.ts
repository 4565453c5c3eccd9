// Asks a person on a terminal: the agent's question, a hint, a time limit, and commands. One question at a time.
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Message } from '../model/message.js'
import { textOf } from '../model/last-user-text.js'
import { escapeControls } from '../base/hidden.js'
import { wrapLines } from '../base/wrap-lines.js'
import type { Human } from '../pipeline/execute/conversation/contract.js'

export interface HumanInit {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean; columns?: number }
  /** The display pauses while a question is open. */
  onAsk?: () => void
  onAnswered?: () => void
  /** Ctrl-C: a terminal that reads lines does not turn it into a signal on its own. */
  onInterrupt?: () => void
}

type Question = Parameters<Human['ask']>[0]
type Answer = Awaited<ReturnType<Human['ask']>>

const COMMANDS = ':skip  :fail  :end  :history  :help'
const HELP = [
  ':skip     skip this case',
  ':fail     fail this case',
  ':end      end the conversation and run the final assertions',
  ':history  show the conversation so far',
  '::text    send a message that begins with a colon',
]

export function createHuman(init: HumanInit): Human {
  const ahead: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask(question) {
      const turn = last.then(async () => {
        if (question.signal.aborted) throw question.signal.reason
        init.onAsk?.()
        try {
          return await askOnce(init, question, ahead)
        } finally {
          init.onAnswered?.()
        }
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

function askOnce(init: HumanInit, question: Question, ahead: string[]): Promise<Answer> {
  const { input, output, onInterrupt = () => process.kill(process.pid, 'SIGINT') } = init
  write(output, questionText(question))
  const lines = createInterface({ input, output, terminal: output.isTTY === true, prompt: 'you> ' })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish({ kind: 'timeout' }), Math.min(question.timeout_ms, 2 ** 31 - 1))
    const onAbort = (): void => {
      release()
      reject(question.signal.reason)
    }
    let open = true
    const release = (): void => {
      open = false
      clearTimeout(timer)
      question.signal.removeEventListener('abort', onAbort)
      lines.close()
    }
    const finish = (answer: Answer): void => {
      if (!open) return
      release()
      output.write('\n')
      resolve(answer)
    }
    const onLine = (line: string): void => {
      // What a pipe sent too early answers the next question; on a terminal it would answer one that was not read yet.
      if (!open) return void (input.isTTY === true || ahead.push(line))
      const answer = answerIn(line, question, output)
      if (answer) finish(answer)
      else prompt(lines)
    }
    question.signal.addEventListener('abort', onAbort, { once: true })
    lines.on('line', onLine)
    lines.on('close', () => finish({ kind: 'closed' }))
    // The question stays open until the run is stopped: an interrupted case has no result.
    lines.on('SIGINT', onInterrupt)
    prompt(lines)
    for (let line = ahead.shift(); line !== undefined; line = open ? ahead.shift() : undefined) onLine(line)
  })
}

function prompt(lines: Interface): void {
  lines.prompt()
}

/** Undefined: nothing was answered yet. */
function answerIn(line: string, question: Question, output: HumanInit['output']): Answer | undefined {
  const text = line.trim()
  if (!text.startsWith(':')) return { kind: 'input', text: line }
  if (text.startsWith('::')) return { kind: 'input', text: text.slice(1) }
  switch (text) {
    case ':skip':
    case ':fail':
    case ':end':
      return { kind: text.slice(1) as 'skip' | 'fail' | 'end' }
    case ':history':
      write(output, historyText(question.history))
      return undefined
    case ':help':
      output.write(`${HELP.map((entry) => `  ${entry}`).join('\n')}\n`)
      return undefined
    default:
      output.write(`  no command ${escapeControls(text)}; there are ${COMMANDS}\n`)
      return undefined
  }
}

/** On a terminal long lines are broken between words. */
function write(output: HumanInit['output'], text: string): void {
  output.write(output.isTTY === true && output.columns ? wrapLines(text, output.columns) : text)
}

function questionText({ case_id, question, hint }: Question): string {
  const asks = question === '' ? 'say something to the agent' : 'the agent asks'
  const hintLine = hint === undefined ? '' : `  Hint: ${escapeControls(hint)}\n`
  return `\n► [${escapeControls(case_id)}] ${asks}\n${quoted(question)}${hintLine}  ${COMMANDS}\n`
}

function historyText(history: Message[]): string {
  if (history.length === 0) return '  nothing has been said yet\n'
  return history.map((message) => `  ${escapeControls(message.role)}\n${quoted(messageText(message))}`).join('')
}

function messageText(message: Message): string {
  const calls = (message.tool_calls ?? []).map((call) => `[tool: ${call.name}(${JSON.stringify(call.args)})]`)
  return [textOf(message.content), ...calls].filter((text) => text !== '').join('\n')
}

// The mark keeps an answer from looking like a line of ours.
function quoted(text: string): string {
  if (text === '') return ''
  const shown = text.split(/\r?\n/).map((line) => `  │ ${escapeControls(line)}\n`)
  return shown.join('')
}
