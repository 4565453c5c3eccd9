// tau-bench's airline runs as what happened, in order.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function readRuns(folder) {
  const dir = join(folder, 'tau-bench')
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.jsonl')) : []
  return files.flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .map(({ task_id, trial, reward, traj }) => ({
        name: `task ${task_id}, trial ${trial}`,
        good: reward === 1,
        messages: traj,
      })),
  )
}

/** Ids of calls repeat: results follow their calls. */
export function entriesOf(messages) {
  return messages.flatMap(({ role, content, tool_calls }, index) => {
    if (role === 'tool') return []
    if (role !== 'assistant')
      return [{ kind: 'given', from: role === 'system' ? 'the instructions' : 'the user', value: content }]
    const calls = (tool_calls ?? []).map(({ function: { name, arguments: args } }, position) => ({
      kind: 'call',
      call: { name, args: JSON.parse(args), result: messages[index + 1 + position]?.content ?? '' },
    }))
    return [...(content ? [{ kind: 'answer', text: content }] : []), ...calls]
  })
}

export function textsOf(entries) {
  return entries.flatMap(({ kind, text }) => (kind === 'answer' ? [text] : []))
}

/** The tools of the benchmark that change its database; errors are results there. */
const WRITES = /^(?:book|cancel|update|send)_/

export function isWrite({ name, result }) {
  return WRITES.test(name) && !result.startsWith('Error')
}

const DONE = /successfully|\b(?:has|have) been\b|\b(?:I|we)(?:'ve| have)\b|\b(?:is|are) now\b|\b(?:was|were) \w+ed\b/i
const WORDS = {
  book: /book|reserv|confirm/i,
  cancel: /cancel/i,
  update: /updat|chang|upgrad|downgrad|modif|add|bag/i,
  send: /certificate|compensat/i,
}

/** It says that something was done, in words of this kind of write. */
export function claimsWrite(text, { name }) {
  return DONE.test(text) && WORDS[name.split('_')[0]].test(text)
}
