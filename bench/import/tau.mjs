// Recorded runs of tau-bench, imported and replayed: the verdicts of the imported cases beside the official rewards.
//   node bench/import/tau.mjs [folder with tau-bench/*.jsonl]
// Last seen: docs/decisions/import.md.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BIN = join(ROOT, 'bin/viva.js')
const folder = join(process.argv[2] ?? join(ROOT, '../shared/data/public'), 'tau-bench')
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
if (names.length === 0) {
  process.stderr.write(`there are no runs (*.jsonl) in ${folder}\n`)
  process.exit(2)
}

const work = mkdtempSync(join(tmpdir(), 'viva-tau-'))
try {
  const runs = names.flatMap((name) => linesOf(join(folder, name)))
  writeFileSync(join(work, 'runs.jsonl'), runs.map((run) => `${JSON.stringify(run)}\n`).join(''))
  execFileSync(process.execPath, [BIN, 'import', 'runs.jsonl', '-o', 'suite'], { cwd: work, stdio: 'ignore' })
  const cases = linesOf(join(work, 'suite/tests/cases.jsonl'))
  // The agent has to know which of the runs it repeats.
  const marked = cases.map((item) => ({ ...item, metadata: { ...item.metadata, run: item.id } }))
  writeFileSync(join(work, 'suite/tests/cases.jsonl'), marked.map((item) => `${JSON.stringify(item)}\n`).join(''))
  const replies = Object.fromEntries(runs.map((run, index) => [cases[index].id, repliesOf(run.traj)]))
  writeFileSync(join(work, 'replies.json'), JSON.stringify(replies))
  writeFileSync(join(work, 'agent.mjs'), AGENT())
  const args = ['test', '-i', 'suite/tests/cases.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl', '--parallel', '8']
  const { stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: work, encoding: 'utf8' })
  if (!existsSync(join(work, 'out.jsonl'))) throw new Error(stderr)
  print(
    cases,
    runs,
    new Map(linesOf(join(work, 'out.jsonl')).flatMap((line) => (line.type === 'result' ? [[line.id, line]] : []))),
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}

function print(cases, runs, results) {
  const rows = runs.map(({ reward }, index) => {
    const { id } = cases[index]
    const { status, error, skip_reason } = results.get(id) ?? { status: 'missing' }
    return { id, status, passed: reward === 1, why: error ?? skip_reason }
  })
  const isJudged = ({ status }) => status === 'passed' || status === 'failed'
  const groups = [
    ['runs', rows],
    ['the same', rows.filter((row) => isJudged(row) && (row.status === 'passed') === row.passed)],
    ['stricter', rows.filter(({ status, passed }) => status === 'failed' && passed)],
    ['greener', rows.filter(({ status, passed }) => status === 'passed' && !passed)],
    ['skipped or without a verdict', rows.filter((row) => !isJudged(row))],
  ]
  process.stdout.write(groups.map(([what, list]) => `${String(list.length).padStart(5)}  ${what}\n`).join(''))
  for (const [what, list] of groups.slice(2))
    for (const { id, status, passed, why } of list)
      process.stdout.write(
        `${what}: ${id}, ${passed ? 'passed' : 'failed'} there, ${status} here: ${(why ?? '').split('\n')[0]}\n`,
      )
  process.exitCode = groups[3][1].length === 0 ? 0 : 1
}

/** For each thing that the user said: what was done and said until the next. A text beside a call was not sent. */
function repliesOf(traj) {
  const starts = traj.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  return starts.map((start, at) => {
    const own = traj.slice(start + 1, starts[at + 1])
    const texts = own.filter(({ role, content, tool_calls }) => role === 'assistant' && content && !tool_calls)
    const calls = own.flatMap(({ tool_calls }, index) =>
      // Ids repeat in some runs: the results follow their calls.
      (tool_calls ?? []).map((call, position) => callOf(call, own[index + 1 + position])),
    )
    return { content: texts.map(({ content }) => content).join('\n') || '(nothing)', tool_calls: calls }
  })
}

function callOf({ function: { name, arguments: args } }, { role, content = '' } = {}) {
  const isError = role !== 'tool' || content.startsWith('Error')
  return {
    name,
    args: JSON.parse(args),
    ...(isError ? { error: content || 'no result' } : { result: content || '(empty)' }),
  }
}

function AGENT() {
  return `import { readFileSync } from 'node:fs'
const replies = JSON.parse(readFileSync(new URL('replies.json', import.meta.url), 'utf8'))
export default (messages, ctx) => replies[ctx.metadata.run][messages.filter(({ role }) => role === 'user').length - 1]
`
}

function linesOf(path) {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
