// Two runs at once in one process, through the library: nothing of one is in the other, and nothing is left behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import type { RunOutcome } from '../../src/run.js'
import { makeFolder, ROOT } from '../support/run-cli.js'

const LIBRARY = pathToFileURL(join(ROOT, 'dist/index.js')).href
const HOST = fileURLToPath(new URL('host.mjs', import.meta.url))

interface PlannedRun {
  options: Record<string, unknown>
  cwd: string
  env?: Record<string, string>
  stdin?: string
  /** The run is stopped when this is answered. */
  stopWhen?: string
  /** Asked for when the run is over. */
  ended?: string
}

type Outcome = RunOutcome & { seen: RunEvent[]; listening: number; error?: string; code?: string }

interface Left {
  listeners: Record<string, number>
  resources: string[]
  files: string[]
}

interface HostRun {
  stdout: string
  stderr: string
  before: Left
  after: Left
  outcomes: Outcome[]
}

/** In a process of its own, so that what it prints and leaves behind is the library's. */
async function runTogether(runs: PlannedRun[]): Promise<HostRun> {
  const dir = makeFolder({ 'plan.json': { library: LIBRARY, runs: runs.map((run) => ({ env: {}, ...run })) } })
  const child = spawn(process.execPath, [HOST, join(dir, 'plan.json'), join(dir, 'result.json')], {
    cwd: dir,
    // The library looks at what it is given, not at what is around it.
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      GITHUB_ACTIONS: 'true',
      FORCE_COLOR: '1',
      HOST_TOKEN: 'host-token-5521',
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  expect([code, stderr]).toEqual([0, ''])
  return { stdout, stderr, ...(JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8')) as object) } as HostRun
}

function expectNothingLeft({ stdout, stderr, before, after, outcomes }: HostRun): void {
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' })
  expect(after).toEqual(before)
  expect(outcomes.map(({ listening }) => listening)).toEqual(outcomes.map(() => 0))
}

function resultsOf({ seen }: Outcome): ResultEvent[] {
  return seen.filter((event): event is ResultEvent => event.type === 'result')
}

/** Everything a run has written. */
function writtenIn(dir: string): string {
  return ['out.jsonl', 'out.html', 'out.json', 'out.md'].map((name) => readFileSync(join(dir, name), 'utf8')).join('\n')
}

const ALPHA = 'alpha-key-90f1c2'
const BETA = 'beta-key-77ab03'

/** A model that reveals everything it knows, and what it was asked with. */
async function talkativeModel(): Promise<{ url: string; keys: Set<string> }> {
  const keys = new Set<string>()
  const server = createServer((request, response) => {
    keys.add(String(request.headers.authorization))
    request.resume().on('end', () =>
      answer(response, {
        choices: [{ message: { role: 'assistant', content: `${ALPHA} and ${BETA}, 42` }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 },
      }),
    )
  })
  return { url: await listen(server), keys }
}

function answer(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The same names in both: agent, connector, model, cases. */
function project(url: string, price: number): string {
  return makeFolder({
    'app.yao': '{}',
    'viva.config.json': { prices: { m: { input: price, output: price } }, defaults: { parallel: 4 } },
    'connectors/model.conn.yao': {
      type: 'openai',
      options: { model: 'm', host: `${url}/v1`, key: '$ENV.MODEL_KEY' },
    },
    'assistants/bot/package.yao': { name: 'bot', connector: 'model' },
    'assistants/bot/src/hooks.ts': `function After(ctx, results) { return results.length }`,
    'cases.jsonl': Array.from({ length: 20 }, (_, index) => ({
      id: `case-${index}`,
      input: 'hello',
      assert: [{ type: 'regex', value: '(?<=, )\\d+$', engine: 'js' }],
    })),
  })
}

test('neither secrets, nor prices, nor keys of one run are in the other', async () => {
  const { url, keys } = await talkativeModel()
  const [a, b] = [project(url, 1), project(url, 5)]
  const options = {
    input: 'cases.jsonl',
    name: 'bot',
    after: 'scripts.bot.hooks.After',
    output: ['out.jsonl', 'out.html', 'out.json', 'out.md'],
  }
  const done = await runTogether([
    { cwd: a, options, env: { MODEL_KEY: ALPHA } },
    { cwd: b, options, env: { MODEL_KEY: BETA } },
  ])
  expectNothingLeft(done)
  const [first, second] = done.outcomes as [Outcome, Outcome]
  expect([first.summary.passed, second.summary.passed]).toEqual([20, 20])
  expect(keys).toEqual(new Set([`Bearer ${ALPHA}`, `Bearer ${BETA}`]))
  expect(resultsOf(first).map(({ output }) => output)).toEqual(Array(20).fill(`[SECRET] and ${BETA}, 42`))
  expect(resultsOf(second).map(({ output }) => output)).toEqual(Array(20).fill(`${ALPHA} and [SECRET], 42`))
  expect([writtenIn(a).includes(ALPHA), writtenIn(a).includes(BETA)]).toEqual([false, true])
  expect([writtenIn(b).includes(ALPHA), writtenIn(b).includes(BETA)]).toEqual([true, false])
  expect(resultsOf(first)[0]?.cost_dollars).toBeCloseTo(0.002)
  expect(resultsOf(second)[0]?.cost_dollars).toBeCloseTo(0.01)
  expect([first.events_file, second.events_file]).toEqual([join(a, 'out.jsonl'), join(b, 'out.jsonl')])
})

test('stopping one run leaves the other and its programs', async () => {
  // Stopped when all programs of both run; the other's are answered when the first has ended.
  const held: Record<string, ServerResponse[]> = { '/hang': [], '/wait': [], '/running': [] }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/over') for (const waiting of [response, ...(held['/wait'] ?? [])]) waiting.end('"late"')
    else held[path]?.push(response)
    if (held['/hang']?.length === 3 && held['/wait']?.length === 3) held['/running']?.pop()?.end()
  })
  const url = await listen(server)
  const hang = makeFolder({
    'hang.mjs': `import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
writeFileSync('pid-' + process.pid, '')
get('${url}/hang')
process.on('SIGTERM', () => {})`,
    'cases.jsonl': [1, 2, 3].map((id) => ({ id: `hangs-${id}`, input: 'x' })),
  })
  const wait = makeFolder({
    'wait.mjs': `import { get } from 'node:http'
get('${url}/wait', (response) => response.pipe(process.stdout))`,
    'cases.jsonl': [1, 2, 3].map((id) => ({ id: `waits-${id}`, input: 'x', expected: 'late' })),
  })
  const env = { PATH: process.env['PATH'] ?? '' }
  const done = await runTogether([
    {
      cwd: hang,
      env,
      options: { input: 'cases.jsonl', name: 'exec:node hang.mjs', parallel: 3 },
      stopWhen: `${url}/running`,
      ended: `${url}/over`,
    },
    { cwd: wait, env, options: { input: 'cases.jsonl', name: 'exec:node wait.mjs', parallel: 3 } },
  ])
  expectNothingLeft(done)
  const [stopped, other] = done.outcomes as [Outcome, Outcome]
  expect(stopped.summary).toMatchObject({ interrupted: true, exit_code: 130, passed: 0 })
  expect(other.summary).toMatchObject({ passed: 3, failed: 0, exit_code: 0 })
  expect(other.summary.interrupted).toBeUndefined()
  const pids = readdirSync(hang).flatMap((name) => /^pid-(\d+)$/.exec(name)?.[1] ?? [])
  expect(pids).toHaveLength(3)
  for (const pid of pids) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
})

test('an agent that is a module sees the environment and the folder of its run', async () => {
  const agent = `export default () => [process.env.WHO, process.env.HOST_TOKEN ?? 'none', process.cwd()].join(' ')`
  const [a, b] = [makeFolder({ 'agent.ts': agent }), makeFolder({ 'agent.ts': agent })]
  const options = { input: 'hello', name: './agent.ts' }
  const done = await runTogether([
    { cwd: a, options, env: { WHO: 'first' } },
    { cwd: b, options, env: { WHO: 'second' } },
  ])
  expectNothingLeft(done)
  expect(done.outcomes.map((outcome) => resultsOf(outcome)[0]?.output)).toEqual([`first none ${a}`, `second none ${b}`])
})

test('what would be printed is in the outcome', async () => {
  const dir = makeFolder({})
  const done = await runTogether([
    {
      cwd: dir,
      options: { input: '-', name: 'builtin:echo', reporter: 'report.json' },
      stdin: '{"id":"a","input":"x"}\n',
    },
    { cwd: dir, options: { input: 'hello', name: 'builtin:echo', max_cost: 1 } },
  ])
  expectNothingLeft(done)
  const [report, warned] = done.outcomes as [Outcome, Outcome]
  expect(JSON.parse(report.printed ?? '')).toMatchObject({ summary: { total: 1, passed: 1 } })
  expect(warned.warnings).toEqual([expect.stringMatching(/^--max-cost cannot be enforced/)])
  expect(readdirSync(dir)).toEqual([])
})

test('what cannot start is a UserError, and leaves nothing either', async () => {
  const wrong = makeFolder({ 'viva.config.json': { defaults: { parallel: 0 } } })
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/bot/package.yao': { name: 'bot' },
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'assistants/bot/src/hooks.ts': `function Before() { throw new Error('cannot log in with ${ALPHA}') }`,
  })
  const env = { LOGIN_TOKEN: ALPHA }
  const done = await runTogether([
    { cwd: wrong, options: { input: 'hello' } },
    { cwd: dir, options: { input: 'hello', paralel: 2 } },
    { cwd: dir, options: { input: '-', name: 'builtin:echo' } },
    { cwd: dir, options: {} },
    { cwd: dir, options: { input: 'cases.jsonl', name: 'builtin:echo', simulator: 'nobody' } },
    { cwd: dir, options: { input: 'hello', parallel: ALPHA }, env },
    { cwd: dir, options: { input: 'hello', name: 'builtin:echo', before: 'scripts.bot.hooks.Before' }, env },
  ])
  expectNothingLeft(done)
  expect(done.outcomes.map(({ code, error }) => [code, error])).toEqual([
    ['BAD_CONFIG', 'defaults.parallel in viva.config.json: expected a whole number from 1 to 10000, found "0"'],
    ['BAD_FLAG', 'no option called "paralel"'],
    ['NO_STDIN', '-i: "-" is standard input, but there is none here'],
    ['NO_INPUT', 'nothing to run: -i is missing'],
    ['UNKNOWN_AGENT', '--simulator: no agent called "nobody"'],
    ['BAD_FLAG', '--parallel: expected a whole number from 1 to 10000, found "[SECRET]"'],
    ['BEFORE_FAILED', expect.stringContaining('cannot log in with [SECRET]')],
  ])
  expect(JSON.stringify(done)).not.toContain(ALPHA)
})
