// tau-bench's airline runs as cases, good runs and bad runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** By task: the gold actions as evidence, and the trials with the verdict of the benchmark. */
export function readTasks(folder) {
  const dir = join(folder, 'tau-bench')
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.jsonl')) : []
  const runs = files.flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  )
  const tasks = new Map()
  for (const { task_id, trial, reward, task, traj } of runs) {
    const entry = tasks.get(task_id) ?? { id: `task ${task_id}`, task, gold: goldOf(task), trials: [] }
    entry.trials.push({ name: `task ${task_id}, trial ${trial}`, good: reward === 1, conduct: conductOf(traj) })
    tasks.set(task_id, entry)
  }
  return [...tasks.values()]
}

const reply = (content, tool_calls) => ({ replies: [{ content, tool_calls, duration_ms: 0 }], said: [] })

function goldOf({ actions, outputs }) {
  const calls = actions.map(({ name, kwargs }) => ({ name, args: kwargs, result: '(ok)' }))
  return reply(outputs.length > 0 ? `Done: ${outputs.join(', ')}.` : 'Done.', calls)
}

function conductOf(messages) {
  return reply(textsOf(messages), callsOf(messages))
}

/** Ids repeat in some runs: the results follow their calls. */
function callsOf(messages) {
  return messages.flatMap(({ tool_calls }, index) => {
    const results = messages.slice(index + 1, index + 1 + (tool_calls?.length ?? 0))
    return (tool_calls ?? []).map(({ function: { name, arguments: args } }, position) => {
      const { content = '', role } = results[position] ?? {}
      const isError = role !== 'tool' || content.startsWith('Error')
      return {
        name,
        args: JSON.parse(args),
        ...(isError ? { error: content || 'no result' } : { result: content || '(empty)' }),
      }
    })
  })
}

/** What the user was told: a text beside a tool call is not sent. */
function textsOf(messages) {
  return messages
    .flatMap(({ role, content, tool_calls }) => (role === 'assistant' && content && !tool_calls ? [content] : []))
    .join('\n')
}
