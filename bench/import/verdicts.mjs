// The same answers judged by promptfoo itself and by the suites that viva import makes of its configurations.
//   (cd bench/peers && npm install --ignore-scripts)
//   node bench/import/verdicts.mjs [folder with node_modules/promptfoo] [name of a suite]
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suites } from './shapes.mjs'

const BIN = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))
const [peers = fileURLToPath(new URL('../peers', import.meta.url)), only] = process.argv.slice(2)

const work = mkdtempSync(join(tmpdir(), 'viva-verdicts-'))
const server = createServer(sayIt)
try {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const all = suites(`http://127.0.0.1:${server.address().port}/v1`).filter(({ name }) => !only || name === only)
  const counts = newCounts()
  for (const [index, { name, config, files }] of all.entries()) {
    const dir = join(work, String(index))
    for (const [path, text] of Object.entries({ ...files, 'promptfooconfig.json': JSON.stringify(config) })) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    }
    process.stderr.write(`${name}: promptfoo\n`)
    const theirs = await verdictsOfPromptfoo(dir)
    process.stderr.write(`${name}: viva\n`)
    compare(theirs, await verdictsOfViva(dir), counts)
  }
  print(counts)
  const { green, alarm, other, same } = counts
  process.exitCode = green.length + alarm.length + other.length === 0 && same > 0 ? 0 : 1
} finally {
  server.close()
  rmSync(work, { recursive: true, force: true })
}

function newCounts() {
  return { tests: 0, same: 0, stricter: new Map(), skipped: new Map(), green: [], alarm: [], other: [] }
}

function compare(theirs, ours, counts) {
  const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)
  for (const [name, his] of theirs) {
    const mine = ours.get(name)
    counts.tests += 1
    const what = JSON.stringify({
      name,
      answer: his.answer?.slice?.(0, 100),
      ...his.test,
      mine: mine?.error?.slice(0, 200),
    })
    if (mine === undefined) counts.other.push(`no verdict: ${what}`)
    else if (mine.status === 'skipped')
      add(counts.skipped, mine.skip_reason.replace(/ \([^)]*:\d+\)( \(and \d+ more\))?$/, ''))
    else if ((mine.status === 'passed') === his.passed) counts.same += 1
    else if (mine.status === 'passed') counts.green.push(what)
    else if (mine.stricter.length > 0) for (const reason of mine.stricter) add(counts.stricter, reason)
    else counts.alarm.push(what)
  }
  if (ours.size !== theirs.size) counts.other.push(`${theirs.size} verdicts there, ${ours.size} here`)
}

function print({ tests, same, stricter, skipped, green, alarm, other }) {
  const sum = (map) => [...map.values()].reduce((total, one) => total + one, 0)
  const rows = [
    [tests, 'tests'],
    [same, 'the same verdict'],
    [sum(skipped), 'skipped, not carried over'],
    ...[...skipped].map(([reason, times]) => [times, `  ${reason}`]),
    [sum(stricter), 'stricter, as the import says'],
    ...[...stricter].map(([reason, times]) => [times, `  ${reason}`]),
    [green.length, 'passed here and failed there'],
    [alarm.length, 'failed here and passed there, without the import having said so'],
  ]
  if (other.length > 0) rows.push([other.length, 'without a verdict'])
  process.stdout.write(rows.map(([count, what]) => `${String(count).padStart(7)}  ${what}\n`).join(''))
  for (const line of examples(green)) process.stdout.write(`PASSED HERE ALONE ${line}\n`)
  for (const line of examples([...alarm, ...other])) process.stdout.write(`failed here alone ${line}\n`)
  process.stdout.write('\n')
}

/** One for each shape. */
function examples(lines) {
  const shapes = new Map()
  for (const line of lines) {
    const shape = /"assert":.*/.exec(line)?.[0].replace(/"(?:error|mine)":.*/, '') ?? line
    if (!shapes.has(shape)) shapes.set(shape, line)
  }
  return [...shapes.values()].slice(0, 60)
}

async function verdictsOfPromptfoo(dir) {
  const out = join(dir, 'out.json')
  const main = join(peers, 'node_modules/promptfoo/dist/src/main.js')
  const flags = '--no-cache --no-table --no-progress-bar --no-write -j 20'.split(' ')
  const run = await start([main, 'eval', '-c', join(dir, 'promptfooconfig.json'), '-o', out, ...flags], dir, {
    OPENAI_API_KEY: 'none',
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_CONFIG_DIR: dir,
  })
  // Its log can fail after everything was written: what counts is the file.
  if (!existsSync(out)) throw new Error(`promptfoo: ${(run.stderr || run.stdout).slice(-2000)}`)
  const { results } = JSON.parse(readFileSync(out, 'utf8'))
  return new Map(
    results.results.map(({ testCase: { description, assert, threshold, options }, success, response, error }) => [
      description,
      { passed: success, answer: response?.output, test: { assert, threshold, options, error: error?.slice(0, 200) } },
    ]),
  )
}

async function verdictsOfViva(dir) {
  const target = join(dir, 'imported')
  const config = join(dir, 'promptfooconfig.json')
  const imported = await start([BIN, 'import', config, '-o', target], dir, {})
  if (imported.code !== 0) throw new Error(imported.stderr)
  const events = join(dir, 'imported.jsonl')
  const run = await start([BIN, 'test', '-i', join(target, 'tests'), '-o', events], dir, { OPENAI_API_KEY: 'none' })
  if (run.code > 1) throw new Error(run.stderr)
  const lines = readFileSync(events, 'utf8').split('\n')
  const results = lines.filter((line) => line.includes('"type":"result"')).map((line) => JSON.parse(line))
  const cases = readFileSync(join(target, 'tests/cases.jsonl'), 'utf8').trim().split('\n')
  const notes = new Map(cases.map((line) => JSON.parse(line)).map(({ id, metadata }) => [id, metadata?.import ?? []]))
  return new Map(
    results.map(({ id, name, status, skip_reason, error }) => [
      name,
      {
        status,
        skip_reason,
        error,
        stricter: notes.get(id).flatMap(({ reason, stricter }) => (stricter ? [reason] : [])),
      },
    ]),
  )
}

function start(args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => (texts[name] = (texts[name] + text).slice(-100_000)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...texts }))
  })
}

/** A model as both tools reach it: an OpenAI endpoint on loopback, which says what it is told to say. */
function sayIt(request, response) {
  let body = ''
  request.setEncoding('utf8').on('data', (text) => (body += text))
  request.on('end', () => {
    const { model, messages } = JSON.parse(body)
    const { content } = messages.at(-1)
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('')
    const message = { role: 'assistant', content: text.replace(/^Say /, '') }
    const choice = { index: 0, message, finish_reason: 'stop' }
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model, choices: [choice], usage }))
  })
}
