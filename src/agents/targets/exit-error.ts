// A program that exited with a code other than 0: what it says about the reason.
import { AgentError } from '../../errors.js'
import { clip, clipStart } from '../../base/text.js'
import type { AgentReply } from '../../model/agent.js'
import { errorFacts } from '../../http/error-facts.js'
import { errorText } from '../reply/error-text.js'

/** Undefined for a program that ended well, and for anything that is not a program. */
export function exitError(reply: AgentReply): AgentError | undefined {
  const { exit_code, stdout, stderr = '', error } = reply
  if (stdout === undefined || exit_code === undefined || exit_code === 0) return undefined
  // What it reports as its answer says more than the code.
  const reported = error === undefined ? '' : `: ${errorText(error)}`
  const message = `exit code ${exit_code}${reported}${stderrTail(stderr)}`
  return new AgentError({ code: 'failed', message, partial: reply, ...errorFacts(error) })
}

/** The last lines say why; a whole log would bury it. Node prints the reason first and much after it. */
export function stderrTail(stderr: string): string {
  const lines = stderr.trimEnd().split('\n')
  const tail = lines.slice(-5)
  const reason = lines.slice(0, -5).findLast((line) => /^\w*Error(?: \[\w+\])?: /.test(line))
  const text = (reason === undefined ? tail : [reason, ...tail]).join('\n')
  if (text === '') return ''
  return `: ${text.length <= 1000 ? text : `${clip(text, 500)}${clipStart(text, 500)}`.replace('……', ' … ')}`
}
