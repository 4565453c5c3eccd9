// Every example of a checkout of promptfoo that has a configuration in YAML or JSON: imported, run offline against a model on loopback, and
// compared with promptfoo's own run of the same configuration against the same model.
//   git clone https://github.com/promptfoo/promptfoo && git -C promptfoo checkout <commit>
//   node bench/import/examples.mjs promptfoo/examples [--peers FOLDER-WITH-NODE_MODULES] [--bin OTHER/bin/viva.js] [--every N] [--minutes N] [--list]
// Last seen: docs/decisions/import.md.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string' },
    bin: { type: 'string' },
    list: { type: 'boolean' },
    only: { type: 'string' },
    every: { type: 'string' },
    minutes: { type: 'string' },
  },
})
const [root] = positionals.map((path) => resolve(path))
if (root === undefined) {
  process.stderr.write(
    'usage: node bench/import/examples.mjs CHECKOUT/examples [--peers DIR] [--bin FILE] [--minutes N] [--list]\n',
  )
  process.exit(2)
}
const BIN = flags.bin ?? fileURLToPath(new URL('../../bin/viva.js', import.meta.url))
const LOOPBACK = 'openai:chat:loopback'
const work = mkdtempSync(join(tmpdir(), 'viva-examples-'))
const server = createServer(answer)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}/v1`
const rows = []
try {
  const files = configurations(root).filter((file) => flags.only === undefined || file.includes(flags.only))
  const every = Number(flags.every ?? 1)
  // What is left out when time runs out is spread over all of them.
  const queue = [...files.entries()]
    .filter(([index]) => index % every === 0)
    .toSorted(([a], [b]) => ((a / every) % 9) - ((b / every) % 9) || a - b)
  const end = Date.now() + Number(flags.minutes ?? 600) * 60_000
  await Promise.all(
    [0, 1].map(async () => {
      for (let next = queue.shift(); next && Date.now() < end; next = queue.shift()) {
        const row = { file: relative(root, next[1]), ...(await tryOne(next[1], join(work, String(next[0])))) }
        rows.push(row)
        if (flags.list) process.stdout.write(`${JSON.stringify(row)}\n`)
      }
    }),
  )
} finally {
  server.close()
  rmSync(work, { recursive: true, force: true })
}
const count = (test) => rows.filter(test).length
const sum = (name) => rows.reduce((total, row) => total + (row[name] ?? 0), 0)
process.stdout.write(
  `\npromptfoo's examples at ${execFileSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' })}`,
)
const table = [
  ['configurations', rows.length],
  ['imported', count(({ imported }) => imported)],
  ['with a case that can run', count(({ runnable }) => runnable > 0)],
  ['run offline, with a verdict', count(({ verdicts }) => verdicts > 0)],
  ['broken off', count(({ problem }) => problem !== undefined)],
  ['cases', sum('cases')],
  ['cases that can run', sum('runnable')],
  ['verdicts compared with promptfoo', sum('compared')],
  ['the same', sum('same')],
  ['stricter', sum('stricter')],
  ['greener', sum('greener')],
  ['suites compared', count(({ compared }) => compared > 0)],
  ['suites green here and not there', count(({ greenSuite }) => greenSuite)],
]
process.stdout.write(`\n${table.map(([what, number]) => `${String(number).padStart(7)}  ${what}\n`).join('')}`)
process.exitCode = sum('greener') === 0 && count(({ greenSuite }) => greenSuite) === 0 ? 0 : 1

async function tryOne(file, target) {
  const imported = await start(BIN, ['import', file, '-o', target])
  if (!existsSync(join(target, 'tests/cases.jsonl'))) return { imported: false, reason: imported.stderr.split('\n')[0] }
  const cases = linesOf(join(target, 'tests/cases.jsonl'))
  const runnable = cases.filter(({ skip }) => !skip).length
  const row = { imported: true, cases: cases.length, runnable }
  if (runnable === 0) return row
  const prompts = packagesOf(target)
  const events = join(target, 'events.jsonl')
  reachLoopback(target)
  const agents =
    prompts.length > 0
      ? [...prompts.flatMap((name) => ['-n', name]), '-c', 'loopback']
      : ['-n', base, '--model', 'loopback']
  const run = await start(BIN, [
    'test',
    '-i',
    join(target, 'tests/cases.jsonl'),
    ...agents,
    '-o',
    events,
    '--parallel',
    '8',
  ])
  const results = linesOf(events).filter(({ type }) => type === 'result')
  const verdicts = results.filter(({ status }) => status === 'passed' || status === 'failed').length
  if (verdicts === 0) return { ...row, verdicts, problem: run.stderr.split('\n').slice(0, 2).join(' ').slice(0, 300) }
  const theirs = flags.peers === undefined ? undefined : await verdictsOfPromptfoo(file, target)
  return { ...row, verdicts, exit: run.code, ...(theirs && compared(results, cases, prompts, theirs, run.code)) }
}

/** By the variables of the test, else its place, and by the place of the prompt. */
function compared(results, cases, prompts, theirs, code) {
  if (theirs.problem !== undefined) return { theirs: theirs.problem }
  const width = Math.max(1, prompts.length)
  const counts = { compared: 0, same: 0, stricter: 0, greener: 0 }
  // Where tests are left out, single verdicts cannot be paired.
  const isPaired = theirs.verdicts.length === cases.length * width
  const tests = cases.map((_, index) => ({
    vars: theirs.vars[index * width] ?? {},
    verdicts: theirs.verdicts.slice(index * width, (index + 1) * width),
  }))
  const pairs = isPaired ? pairedTests(cases, tests) : []
  for (const { id, variant, status } of results) {
    const test = pairs[cases.findIndex((item) => item.id === id)]
    const passed = test?.verdicts[Math.max(0, prompts.indexOf(variant ?? prompts[0]))]
    if (passed === undefined || (status !== 'passed' && status !== 'failed')) continue
    counts.compared += 1
    counts[(status === 'passed') === passed ? 'same' : passed ? 'stricter' : 'greener'] += 1
  }
  const isGreen = theirs.verdicts.every(Boolean)
  return { ...counts, paired: isPaired, greenSuite: code === 0 && !isGreen }
}

/** Files that a glob stands for may come in another order. */
function pairedTests(cases, tests) {
  const left = [...tests]
  const isTelling = (name, value) => typeof value === 'string' && tests.some(({ vars }) => vars[name] !== value)
  const agrees = ({ metadata = {} }, { vars }) =>
    Object.entries(vars).every(([name, value]) => !isTelling(name, value) || metadata[name] === value)
  return cases.map((item, index) => {
    const own = left.includes(tests[index]) && agrees(item, tests[index]) ? tests[index] : undefined
    const found =
      own ?? left.find((test) => agrees(item, test)) ?? (left.includes(tests[index]) ? tests[index] : undefined)
    if (found) left.splice(left.indexOf(found), 1)
    return found
  })
}

async function verdictsOfPromptfoo(file, target) {
  const out = join(target, 'promptfoo.json')
  const main = join(flags.peers, 'node_modules/promptfoo/dist/src/main.js')
  const quiet = '--no-cache --no-table --no-progress-bar --no-write --no-share -j 8'.split(' ')
  const run = await start(main, ['eval', '-c', file, '-o', out, '-r', LOOPBACK, '--grader', LOOPBACK, ...quiet])
  if (!existsSync(out)) return { problem: (run.stderr || run.stdout).trim().split('\n').at(-1)?.slice(0, 200) ?? '' }
  const { results } = JSON.parse(readFileSync(out, 'utf8')).results
  const sorted = results.toSorted((a, b) => a.testIdx - b.testIdx || a.promptIdx - b.promptIdx)
  return { vars: sorted.map(({ vars }) => vars), verdicts: sorted.map(({ success }) => success) }
}

/** The prompts of the suite, or the package that passes on what a case asks. */
function packagesOf(target) {
  const folder = join(target, 'assistants')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const { variants = [] } = JSON.parse(readFileSync(join(target, 'viva.config.json'), 'utf8'))
  // As the configuration has them: a folder has no order.
  const ordered = new Set([...variants.map(({ target: name }) => name), ...names])
  return [...ordered].filter((name) => existsSync(join(folder, name, 'package.yao')))
}

function reachLoopback(target) {
  const folder = join(target, 'connectors')
  const loopback = JSON.stringify({
    label: 'Loopback',
    type: 'openai',
    options: { model: 'loopback', host: base, key: 'none' },
  })
  if (!existsSync(folder)) return
  for (const name of [...readdirSync(folder), 'loopback.conn.yao']) writeFileSync(join(folder, name), loopback)
}

function start(main, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: work,
      timeout: 120_000,
      killSignal: 'SIGKILL',
      env: {
        PATH: process.env.PATH,
        HOME: work,
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: base,
        PROMPTFOO_CONFIG_DIR: join(work, 'config'),
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
        PROMPTFOO_SELF_HOSTED: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => (texts[name] = (texts[name] + text).slice(-100_000)))
    child.on('close', (code) => resolve({ code, ...texts }))
  })
}

function linesOf(path) {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

function configurations(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : configurations(path)
      return /^promptfooconfig.*\.(?:ya?ml|json)$/.test(entry.name) ? [path] : []
    })
}

/** Says what it was last told; as a judge it passes everything, in a form that both tools read. */
function answer(request, response) {
  let body = ''
  request.setEncoding('utf8').on('data', (text) => (body += text))
  request.on('end', () => {
    const { model, messages: given, stream } = readJson(body)
    // A prompt for another kind of provider that is JSON: promptfoo sends it as it is, Viva as a text.
    const messages = Array.isArray(given) ? given : [{ content: JSON.stringify(given ?? '') }]
    const textOf = ({ content }) =>
      typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
    const all = messages.map(textOf).join('\n')
    const nonce = /"nonce":\s*"([\w-]+)"/.exec(all)?.[1]
    const verdict = { pass: true, passed: true, score: 1, reason: 'as asked', ...(nonce && { nonce }) }
    const content = judged(all, verdict) ?? textOf(messages.at(-1) ?? { content: '' })
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    const about = { id: 'x', created: 1, model: model ?? 'loopback' }
    if (stream) {
      const chunk = (choice, more = {}) =>
        `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more })}\n\n`
      response.setHeader('content-type', 'text/event-stream')
      response.end(
        `${chunk({ delta: { role: 'assistant', content } })}${chunk({ delta: {}, finish_reason: 'stop' }, { usage })}data: [DONE]\n\n`,
      )
      return
    }
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...about, object: 'chat.completion', choices, usage }))
  })
}

/** What a judge is asked for, by its rubric: a verdict, one of promptfoo's letters, or steps and a score. */
function judged(asked, verdict) {
  if (/"pass(?:ed)?"/.test(asked)) return JSON.stringify(verdict)
  if (/"category"/.test(asked)) return JSON.stringify({ category: 'C', reason: 'as asked' })
  if (/"Y" or "N"/.test(asked)) return 'Y'
  if (/"steps"/.test(asked)) return JSON.stringify({ steps: ['Compare them.'] })
  return /"score"/.test(asked) ? JSON.stringify({ ...verdict, score: 10 }) : undefined
}

function readJson(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
