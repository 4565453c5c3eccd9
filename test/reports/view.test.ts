// `viva view` beside a run that is still going on, over the wire: what a page receives, early and late.
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LiveMessage, RunsMessage } from '../../src/model/live-message.js'
import type { HistoryPoint } from '../../src/model/run-entry.js'
import { unpackRow } from '../../src/model/result-row.js'
import { makeFolder, startViva, viva, writeFiles } from '../support/run-cli.js'

// Waits until it is released: the test decides when a case ends.
const AGENT = `
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
export async function run(messages) {
  const text = messages.at(-1).content
  while (!existsSync('go-' + text)) await delay(10)
  return 'done ' + text
}
`

async function openView(args: string[], cwd: string) {
  const view = startViva(['view', ...args], { cwd })
  onTestFinished(async () => {
    view.process.kill('SIGTERM')
    await view.done
  })
  const url = await new Promise<string>((resolve) => {
    let text = ''
    view.process.stdout?.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text.trim())
    })
  })
  const { origin, hash } = new URL(url)
  const authorization = `Bearer ${hash.replace('#key=', '')}`
  const ask = (path: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${origin}${path}`, { headers: { authorization }, ...(signal && { signal }) })
  return { origin, ask }
}

/** Reads a stream of messages until one is what is waited for. */
async function follow<T>(response: Response, until: (message: T) => boolean): Promise<T[]> {
  const seen: T[] = []
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return seen
    text += part.value
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const item of whole) {
      if (!item.startsWith('data: ')) continue
      const message = JSON.parse(item.slice(6)) as T
      seen.push(message)
      if (until(message)) {
        await reader?.cancel()
        return seen
      }
    }
  }
}

const rowsOf = (messages: LiveMessage[]): string[] =>
  messages.flatMap((message) => (message.type === 'rows' ? message.rows.map((row) => unpackRow(row).id) : []))

test('results appear during the run, and a late page gets all of them', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': ['a', 'b', 'c'].map((id) => ({ id, input: id })) })
  const run = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'live.jsonl'], { cwd })
  writeFiles(cwd, { 'go-a': '' })
  await run.saw('[a]')
  const { ask, origin } = await openView(['live.jsonl'], cwd)

  const [{ runs, single } = { runs: [], single: false }] = await follow<RunsMessage>(
    await ask('/api/runs'),
    ({ runs: listed }) => listed.length > 0,
  )
  expect([runs.length, single]).toEqual([1, true])
  const stream = `/api/stream?run=${runs[0]?.id}`
  const early = await follow<LiveMessage>(await ask(stream), ({ type }) => type === 'idle')
  expect(early[0]).toMatchObject({ type: 'start', event: { total_cases: 3 } })
  expect(rowsOf(early)).toEqual(['a'])
  expect(early.find(({ type }) => type === 'running')).toMatchObject({ ids: ['b'] })

  const following = follow<LiveMessage>(await ask(stream), (message) => rowsOf([message]).includes('b'))
  writeFiles(cwd, { 'go-b': '' })
  expect(rowsOf(await following)).toEqual(['a', 'b'])

  writeFiles(cwd, { 'go-c': '' })
  expect((await run.done).code).toBe(0)
  const late = await follow<LiveMessage>(await ask(stream), ({ type }) => type === 'ended')
  expect(rowsOf(late)).toEqual(['a', 'b', 'c'])
  expect(late.find(({ type }) => type === 'summary')).toMatchObject({ event: { passed: 3 } })

  expect((await fetch(`${origin}/api/runs`)).status).toBe(401)
  expect(await (await fetch(origin)).text()).toMatch(/^<!doctype html>/)
})

test('a folder: runs of the folders below, and the trend of a case from the history', async () => {
  const cwd = makeFolder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'go-a': '',
    'assistants/x/tests/cases.jsonl': [{ id: 'T1', input: 'a' }],
    'assistants/y/tests/other.jsonl': [{ id: 'T1', input: 'a' }],
  })
  const test_ = (input: string, ...args: string[]) =>
    viva(['test', '-i', input, '-n', './agent.mjs#run', '--history', ...args], { cwd })
  // Kept in the history alone: their event files are gone, or were never there.
  await test_('assistants/x/tests/cases.jsonl', '-o', 'report.json')
  await test_('assistants/x/tests/cases.jsonl', '-o', 'report.json')
  await test_('assistants/y/tests/other.jsonl', '-o', 'report.json')
  rmSync(join(cwd, '.viva/runs'), { recursive: true })
  await test_('assistants/x/tests/cases.jsonl')
  // With the history there is a folder for runs.
  const [file] = readdirSync(join(cwd, '.viva/runs')).filter((name) => name.startsWith('output-'))
  expect(readFileSync(join(cwd, '.viva/runs', file ?? ''), 'utf8')).toContain('"T1"')

  const { ask } = await openView([], cwd)
  const [{ runs } = { runs: [] }] = await follow<RunsMessage>(await ask('/api/runs'), () => true)
  expect(runs.map((run) => run.file)).toEqual([file])
  const answer = await ask(`/api/history?case=T1&run=${runs[0]?.id}`)
  const points = (await answer.json()) as HistoryPoint[]
  // Not the case of the same id in another file.
  expect(points.map(({ status, pass_rate }) => [status, pass_rate])).toEqual([
    ['passed', 100],
    ['passed', 100],
    ['passed', 100],
  ])
  expect(new Set(points.map(({ run_id }) => run_id)).size).toBe(3)
})

test('the trend of a case is that of its file: another of the same name has cases of its own', async () => {
  const cwd = makeFolder({
    'one/inputs.jsonl': [{ id: 'T1', input: 'a' }],
    'two/inputs.jsonl': [{ id: 'T1', input: 'b' }],
  })
  const base = ['test', '-n', 'builtin:echo', '-i']
  await viva([...base, 'one/inputs.jsonl', '--history'], { cwd })
  await viva([...base, 'two/inputs.jsonl', '--history'], { cwd })
  // Named from another folder it is the same file.
  await viva([...base, 'inputs.jsonl'], { cwd: join(cwd, 'one') })
  const { ask } = await openView(['.'], cwd)
  const [{ runs } = { runs: [] }] = await follow<RunsMessage>(
    await ask('/api/runs'),
    (message) => message.runs.length === 3,
  )
  const trends = runs.map(
    async ({ id }) => (await (await ask(`/api/history?case=T1&run=${id}`)).json()) as HistoryPoint[],
  )
  // The newest run first.
  expect((await Promise.all(trends)).map((points) => points.length)).toEqual([2, 1, 2])
})
