// What a replayed case costs against one that an echo answers, and old answers judged again; promptfoo's cache beside it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareJobs, measure, ratio, seconds, table } from '../support/measure.mjs'
import { ROOT, WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const CASES = 2000
const OLD = 10_000
const CONVERSATIONS = 200
const dir = `${WORK}replay/`
rmSync(dir, { recursive: true, force: true })
mkdirSync(`${dir}connectors`, { recursive: true })
mkdirSync(`${dir}assistants/desk`, { recursive: true })
const put = (name, content) =>
  writeFileSync(`${dir}${name}`, typeof content === 'string' ? content : JSON.stringify(content))
const list = (count, make) => Array.from({ length: count }, (_, n) => `${JSON.stringify(make(n))}\n`).join('')
const single = (n) => ({ id: `T${n}`, input: `hello number ${n}`, assert: { type: 'contains', value: 'hello' } })
put('app.yao', {})
put('cases.jsonl', list(CASES, single))
put('old.jsonl', list(OLD, single))
put(
  'new.jsonl',
  list(OLD, (n) => ({
    ...single(n),
    assert: [
      { type: 'contains', value: `number ${n}` },
      { type: 'regex', value: '^hello' },
    ],
  })),
)
put(
  'talks.jsonl',
  list(CONVERSATIONS, (n) => ({
    id: `C${n}`,
    input: `hello number ${n}`,
    simulator: { options: { metadata: { goal: 'hear three answers' } } },
    assert: { type: 'contains', value: 'and then, 3?' },
    final_assertions: [{ type: 'agent', value: 'kind' }],
  })),
)
put('viva.config.json', { helpers: { connector: 'main' } })
put('assistants/desk/package.yao', { name: 'Desk', connector: 'main' })
put('assistants/desk/prompts.yml', '- content: You are kind and brief.\n')
const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)))
const [{ port }] = await once(server, 'message')
put('connectors/main.conn.yao', {
  type: 'openai',
  options: { host: `http://127.0.0.1:${port}`, model: 'small', key: 'none' },
})

const viva = (name, input, agent, ...more) => ({
  name,
  command: process.execPath,
  args: [VIVA, 'test', '-i', input, '-n', agent, '--parallel', '8', '-o', 'out.jsonl', '--force', ...more],
  cwd: dir,
  env: { NODE_EXTRA_CA_CERTS: undefined },
})
for (const job of [
  viva('', 'cases.jsonl', 'builtin:echo', '--record', 'echo.yaml'),
  viva('', 'talks.jsonl', 'desk', '--record', 'talks.yaml'),
  viva('', 'old.jsonl', 'builtin:echo', '-o', 'answers.jsonl'),
]) {
  const { code, stderr } = await measure(job.command, job.args, job)
  if (code !== 0) throw new Error(stderr)
}
const results = await compareJobs(
  [
    viva('echo', 'cases.jsonl', 'builtin:echo'),
    viva('replay', 'cases.jsonl', 'builtin:echo', '--replay', 'echo.yaml'),
    viva('echo 10', 'new.jsonl', 'builtin:echo'),
    viva('recorded', 'new.jsonl', 'recorded:answers.jsonl'),
    viva('talks live', 'talks.jsonl', 'desk'),
    viva('talks', 'talks.jsonl', 'desk', '--replay', 'talks.yaml'),
  ],
  5,
)
const row = (what, name, base, count, bar) => [
  what,
  seconds(results[name].cpu),
  `${((results[name].cpu / count) * 1000).toFixed(2)} ms`,
  base === undefined ? '' : ratio(results[name].cpu, results[base].cpu),
  bar,
]
const rows = [
  row(`${CASES} cases, builtin:echo`, 'echo', undefined, CASES, ''),
  row('the same, replayed', 'replay', 'echo', CASES, '≤ 5×'),
  row(`${OLD} cases with new assertions, builtin:echo`, 'echo 10', undefined, OLD, ''),
  row(`the same, answers of an old run (recorded:)`, 'recorded', 'echo 10', OLD, ''),
  row(`${CONVERSATIONS} conversations of 7 calls, model on loopback`, 'talks live', undefined, CONVERSATIONS, ''),
  row('the same, replayed', 'talks', 'talks live', CONVERSATIONS, ''),
]
const verdicts = await sameVerdicts()
rows.push(...(await promptfoo()))
server.kill()
record(
  'Replay',
  `CPU of the whole command, median of 5. ${verdicts}\n\n${table(['what', 'CPU', 'per case', 'against the one above', 'bar'], rows)}`,
)

/** What new assertions say of old answers, and of the same answers given live: one case in three fails. */
async function sameVerdicts() {
  put(
    'strict.jsonl',
    list(OLD, (n) => ({ ...single(n), assert: { type: 'contains', value: `number ${n % 3 === 0 ? 'x' : n}` } })),
  )
  const told = []
  for (const agent of ['builtin:echo', 'recorded:answers.jsonl']) {
    const job = viva('', 'strict.jsonl', agent)
    const { code, stderr } = await measure(job.command, job.args, job)
    if (code !== 1) throw new Error(stderr)
    const lines = readFileSync(`${dir}out.jsonl`, 'utf8').trim().split('\n')
    const results = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'result')
    told.push(new Map(results.map(({ id, status, output }) => [id, `${status} ${output}`])))
  }
  const [live, old] = told
  const different = [...live].filter(([id, verdict]) => old.get(id) !== verdict).length
  if (different > 0 || old.size !== OLD) throw new Error(`${different} of ${OLD} verdicts differ`)
  return `Of ${OLD} old answers judged anew, ${OLD} have the verdict that they have live.`
}

/** The second of two runs over the same cases and the same model, from its cache. */
async function promptfoo() {
  const main = `${ROOT}bench/peers/node_modules/promptfoo/dist/src/main.js`
  if (!existsSync(main)) return []
  const tests = Array.from({ length: CASES }, (_, n) => ({
    vars: { n: String(n) },
    assert: [{ type: 'contains', value: 'hello' }],
  }))
  const provider = { id: 'openai:chat:small', config: { apiBaseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'none' } }
  put('promptfooconfig.json', { prompts: ['hello number {{n}}'], providers: [provider], tests })
  const job = {
    cwd: dir,
    env: { PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1', PROMPTFOO_CONFIG_DIR: `${dir}promptfoo` },
  }
  const args = [main, 'eval', '-c', 'promptfooconfig.json', '-j', '8', '--no-progress-bar', '--no-table', '--no-write']
  await measure(process.execPath, args, job)
  const { cpu } = await measure(process.execPath, args, job)
  return [[`promptfoo, ${CASES} cases from its cache`, seconds(cpu), `${((cpu / CASES) * 1000).toFixed(2)} ms`, '', '']]
}
