// tau-bench, airline: runs that its own check of the database has judged, judged by their tool calls and answers.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy, readLines, verdictsOf } from './support.mjs'

export async function tauBench(folder) {
  const dir = join(folder, 'tau-bench')
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.jsonl')) : []
  const runs = files.flatMap((name) => readLines(join(dir, name)))
  const tools = [
    ...new Set(runs.flatMap(({ traj, task }) => [...callsOf(traj), ...task.actions].map(({ name }) => name))),
  ]
  const writing = tools.filter((name) => !READS.test(name))
  const rows = runs.map((run) => ({
    id: `${run.task_id}/${run.trial}`,
    task: `task ${run.task_id}, trial ${run.trial}`,
    kind: 'run',
    official: run.reward === 1,
    reply: {
      content: textsOf(run.traj),
      tool_calls: callsOf(run.traj),
      ...(!isOver(run.traj) && { error: 'the run was cut off' }),
    },
    assert: assertionsOf(run.task, writing),
  }))
  const tasks = [...new Map(runs.map((run) => [run.task_id, run])).values()]
  const idle = tasks.map(({ task_id, task }) => ({
    id: `idle/${task_id}`,
    task: `task ${task_id}`,
    kind: 'does nothing',
    official: false,
    reply: { content: 'I am sorry, I cannot do that.', tool_calls: [] },
    assert: assertionsOf(task, writing),
  }))
  const free = await verdictsOf(idle)
  return {
    name: 'tau-bench airline',
    unit: 'runs',
    tasks: tasks.length,
    ...(await verdictsOf(rows)),
    free: free.greener.map(({ task }) => task),
  }
}

/** Every other tool of this domain changes the database. */
const READS = /^(?:get|search|list|calculate|think|transfer)(?:_|$)/

/** Every change that the task asks for was made, and no other; what was to be said was said. Calls that failed changed nothing. */
function assertionsOf({ actions, outputs }, writing) {
  const wanted = actions.filter(({ name }) => writing.includes(name))
  const counted = writing.map((name) => ({
    type: 'tool_called',
    name,
    outcome: 'ok',
    times: { exact: wanted.filter((action) => action.name === name).length },
  }))
  const made = [...groupBy(wanted, (action) => JSON.stringify([action.name, action.kwargs])).values()].map((same) => ({
    type: 'tool_called',
    name: same[0].name,
    arguments: same[0].kwargs,
    arguments_match: 'exact',
    outcome: 'ok',
    times: { exact: same.length },
  }))
  const said = outputs.map((text) => ({ type: 'regex', value: `(?i)${Array.from(text, escaped).join(',*')}` }))
  return [...counted, ...made, ...said]
}

function escaped(letter) {
  return letter.replace(/[\\^$.|?*+()[\]{}]/, '\\$&')
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

/** The user was content, or was handed over to a person. */
function isOver(messages) {
  return (
    messages.at(-1).content?.includes('###STOP###') || callsOf(messages).some(({ name }) => name.startsWith('transfer'))
  )
}
