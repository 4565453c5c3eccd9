// Every secret of the fixtures, planted in one run: it is in the cases and in what the agent says, and in nothing that
// Viva writes or prints.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { readRun } from './support.js'

interface Planted {
  id: string
  text: string
  secrets: string[]
}

const FIXTURES = fileURLToPath(new URL('../fixtures/redaction/', import.meta.url))
/** Shorter ones are also parts of words; the tests of the redactor look for those. */
const SHORTEST = 6
const ENV: Record<string, string> = {}

const PLANTED: Planted[] = ['cases.jsonl', 'named.jsonl'].flatMap((name) =>
  readFileSync(join(FIXTURES, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { id, parts, secrets, env_parts = {} } = JSON.parse(line) as Fixture
      for (const [variable, value] of Object.entries(env_parts)) ENV[variable] = value.join('')
      const text = parts.join('')
      return { id, text, secrets: secrets.map(([from, to]) => text.slice(from, to)) }
    })
    .filter(({ secrets }) => secrets.length > 0),
)

interface Fixture {
  id: string
  parts: string[]
  secrets: [number, number][]
  env_parts?: Record<string, string[]>
}

// `!` makes the agent throw what follows. What it logs and what its tool is called with is the same text.
const AGENT = `export function answer(messages) {
  const text = messages.at(-1).content
  if (text.startsWith('!')) throw new Error(text.slice(1))
  return { content: text, tool_calls: [{ name: 'note', arguments: { text, json: JSON.stringify({ deep: JSON.stringify({ text }) }) }, result: [text] }] }
}`

function cases(): object[] {
  return PLANTED.flatMap(({ id, text }) => [
    { id, name: text, input: text, metadata: { note: text }, assert: { type: 'equals', value: text, message: text } },
    { id: `${id}-wrong`, input: text, expected: `not ${text}` },
    { id: `${id}-error`, input: `!${text}` },
    // oxlint-disable-next-line no-control-regex
    {
      id: `id of ${id} ${text.replace(/[\u0000-\u001f]/g, ' ').trim()}`,
      input: 'x',
      assert: { type: 'contains', value: text },
    },
  ])
}

/** Each secret as it is, line by line, and as JSON spells it, once and twice. */
const SPELLED = PLANTED.flatMap(({ id, secrets }) =>
  secrets
    .flatMap((secret) => [secret, ...secret.split('\n').filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line))])
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => {
      const once = JSON.stringify(secret).slice(1, -1)
      return [...new Set([secret, once, JSON.stringify(once).slice(1, -1)])].map((spelling) => ({ id, spelling }))
    }),
)

function leaks(sinks: Record<string, string>): string[] {
  return Object.entries(sinks).flatMap(([sink, text]) =>
    SPELLED.filter(({ spelling }) => text.includes(spelling)).map(({ id, spelling }) => `${sink}: ${id} ${spelling}`),
  )
}

const REPORTS = ['jsonl', 'json', 'md', 'html', 'xml', 'tap', 'ctrf.json', 'txt']

test('no secret of the fixtures leaks through any sink', { timeout: 300_000 }, async () => {
  expect(SPELLED.length).toBeGreaterThan(120)
  const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases(), 'app.yao': '{}', 'out/.keep': '' })
  const run = async (args: string[], env: Record<string, string> = {}) =>
    viva(args, { cwd: dir, env: { ...ENV, ...env } })
  const test = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer']
  const outputs = REPORTS.flatMap((format) => ['-o', `out/o.${format}`])
  const whole = await run([...test, ...outputs, '-v', '--history'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(dir, 'out/step-summary.md'),
  })
  const json = await run([...test, '-o', 'out/second.jsonl', '--json', '--record', 'out/tape.yaml'])
  const replayed = await run([...test, '-o', 'out/third.jsonl', '-v', '--replay', 'out/tape.yaml'])
  const extracted = await run(['extract', 'out/o.jsonl', '-o', 'out/extracted'])
  const dry = await run([...test, '--dry-run', '-o', 'out/dry.jsonl'])
  const yaml = await run([...test, '--dry-run', '-o', 'out/dry.yaml'])
  const wrong = PLANTED.map(({ id, text }) => ({ id, input: text, assert: { type: text }, [text]: text }))
  writeFileSync(join(dir, 'wrong.jsonl'), wrong.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const refused = await run(['test', '-i', 'wrong.jsonl', '-n', './agent.mjs#answer'])
  const compared = await run(['compare', 'out/o.jsonl', 'out/second.jsonl', '-o', 'out/compared.html'])
  const history = await run(['history'])

  expect([whole, json, replayed, extracted, dry, yaml, refused, compared, history].map(({ code }) => code)).toEqual([
    1, 1, 1, 0, 0, 0, 2, 0, 0,
  ])
  const sinks: Record<string, string> = Object.fromEntries(
    Object.entries({ whole, json, replayed, extracted, dry, yaml, refused, compared, history }).flatMap(
      ([name, { stdout, stderr }]) => [
        [`${name} stdout`, stdout],
        [`${name} stderr`, stderr],
      ],
    ),
  )
  for (const folder of ['out', '.viva'])
    for (const name of readdirSync(join(dir, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(dir, folder, name)
      if (statSync(path).isFile()) sinks[join(folder, name)] = readFileSync(path, 'utf8')
    }
  expect(Object.keys(sinks).filter((name) => sinks[name] !== '').length).toBeGreaterThan(20)
  expect(leaks(sinks)).toEqual([])

  // The assertions saw the real text, and every sink has something to say.
  const statuses = new Map(readRun(join(dir, 'out/o.jsonl')).results.map(({ id, status }) => [id, status]))
  for (const { id } of PLANTED)
    expect([id, statuses.get(id), statuses.get(`${id}-wrong`)]).toEqual([id, 'passed', 'failed'])
  expect(dry.stderr).toContain('written with a placeholder where a secret was')
})
