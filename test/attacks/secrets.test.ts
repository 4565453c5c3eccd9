// Agents that give away what the environment holds, in other spellings and in odd places: no file and no line of output has it.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** None of them has the form of any vendor's keys. */
const ENV: Record<string, string> = {
  DEPLOY_THING: 'q8Zr2VnX0pLk5WtYb3Hd9Mfs',
  PGPASSWORD: 'tr0ub4dor',
  SMTP_PASS: 'x7Kq',
  MASTER_KEY: 'n0t&"<quoted>\'9',
  ODD_SECRET: 'pässwörd-9x7',
  TWO_LINES_KEY: 'first8line7abc\nsecond9line2xyz',
  SPACED_TOKEN: '  w9Er4Ty6Ui8Op2As  ',
}

/** `[…, what opens something, …]`. */
const AROUND: Record<string, [before: string, secret: string, after: string]> = {
  DATABASE_URL: ['postgres://app:', 'Zx9cVb7nMq', '@db.internal:5432/app'],
  SENTRY_DSN: ['https://', '9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c', '@o1.ingest.example.com/42'],
  MANY: ['Lq3Ws5Ed7Rf9Tg2Yh4Uj6,', 'Ik8Ol1Pz3Xs5Dc7Fv9Gb', ''],
  SERVICE_ACCOUNT: ['{"type":"service","private_key":"', 'Qm7Wn9Be2Vr4Ct6Xy8Zu1Oa3', '"}'],
  VCAP_SERVICES: ['{"pg":[{"credentials":{"port":5432,"password":"', 'Zr4cVb7nMs', '"}}]}'],
  DOCKER_AUTH_CONFIG: ['{"auths":{"r.example.com":{"auth":"', 'dXNlcjpaeDljVmI3bk13', '"}}}'],
  OTEL_EXPORTER_OTLP_HEADERS: ['x-tenant=main,api-key=', 'a8Zr2VnX0pLk5WtYb3Hd9Mft', ''],
  OTLP: ['Authorization=Bearer%20', 'b8Zr2VnX0pLk5WtYb3Hd9Mfu', ''],
  STORAGE: ['Protocol=https;AccountName=x;AccountKey=', 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6==', ';Suffix=a'],
  ADO: ['Server=db;User Id=sa;Password=', 'Zt9cVb7nMx', ';'],
  LIBPQ: ['host=db user=app password=', 'Zu9cVb7nMy', ''],
  JAVA_TOOL_OPTIONS: ['-Xmx1g -Ddb.password=', 'Zv9cVb7nMz', ' -Dx=1'],
  CURL_OPTIONS: ['-sS -H "x-api-key: ', 'c8Zr2VnX0pLk5WtYb3Hd9Mfv', '"'],
  NPM_RC: ['//registry.example.com/:_authToken=', 'd8Zr2VnX0pLk5WtYb3Hd9Mfw', ''],
}
const SHOWN = {
  GIT_SHA: '3f786850e387550fdab836ed7e6dc881de23001b',
  BUILD_ID: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  APP_HOME: '/srv/q8-Zr2-VnX0/pLk5WtYb3Hd9Mfs8',
  DOCS_URL: 'https://docs.example.com/Kq7Wz2Xv9Lm4Np8Rt3Sb6Yd1',
  SORT_KEY: 'created_at',
  TOKEN_LIMIT: '200000000',
  IMAGE: 'registry.example.com/team/app:3f786850e387550fdab836ed7e6dc881de23001b',
  BUILD_ARGS: '--build-arg commit=3f786850e387550fdab836ed7e6dc881de23001b --target=run',
  DBUS_ADDRESS: 'unix:abstract=/tmp/dbus-x8Kq2Lm9Zr,guid=6ba7b8109dad11d180b400c04fd430c8',
  LS_THEME: 'rs=0:di=01;34:ln=01;36:*.tar=01;31',
}

type Spell = (value: string) => string
const base64: Spell = (value) => Buffer.from(value).toString('base64')
const hex: Spell = (value) => Buffer.from(value).toString('hex')
const SPELLINGS: Record<string, Spell> = {
  plain: (value) => value,
  base64,
  base64url: (value) => Buffer.from(value).toString('base64url'),
  bare64: (value) => base64(value).replace(/=+$/, ''),
  hex,
  HEX: (value) => hex(value).toUpperCase(),
  uri: encodeURIComponent,
  uri2: (value) => encodeURIComponent(encodeURIComponent(value)),
  json: (value) => JSON.stringify(value).slice(1, -1),
  json2: (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  basic: (value) => base64(`user:${value}`),
  html: (value) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
}

const PLACES = [
  'stream',
  'letters',
  'toolName',
  'toolArg',
  'toolKey',
  'toolText',
  'toolResult',
  'toolError',
  'thrown',
  'cause',
  'log',
  'stderr',
  'byLetters',
  'hint',
  'finish',
  'key',
  'deep',
  'error',
  'next',
  'usage',
  'spans',
  'raw',
  'list',
  'refusal',
]
type Try = [name: string, spelling: string, place?: string]
const TRIES: readonly Try[] = [
  ...Object.keys(ENV).map((name): Try => [name, 'plain']),
  ...Object.keys(AROUND).map((name): Try => [name, 'plain']),
  ...Object.keys(SPELLINGS).map((spelling): Try => ['DEPLOY_THING', spelling]),
  ...['json', 'json2', 'uri', 'html', 'base64'].map((spelling): Try => ['MASTER_KEY', spelling]),
  ...['uri', 'base64', 'hex'].map((spelling): Try => ['ODD_SECRET', spelling]),
  ...['base64', 'basic', 'hex'].map((spelling): Try => ['PGPASSWORD', spelling]),
  ...['json', 'json2'].map((spelling): Try => ['TWO_LINES_KEY', spelling]),
  ['SPACED_TOKEN', 'base64'],
  ...PLACES.map((place): Try => ['DEPLOY_THING', 'plain', place]),
  ['PGPASSWORD', 'plain', 'thrown'],
  ['PGPASSWORD', 'plain', 'letters'],
  ['SMTP_PASS', 'plain', 'toolArg'],
  ['SMTP_PASS', 'plain', 'log'],
]

/** What the agent gives away. */
function spelled([name, spelling]: Try): string {
  return SPELLINGS[spelling]?.(ENV[name] ?? AROUND[name]?.[1] ?? '') ?? ''
}

const AGENT = `
import { readFileSync } from 'node:fs'
const given = JSON.parse(readFileSync(new URL('./given.json', import.meta.url)))
const places = {
  content: (x) => 'got ' + x,
  async *stream(x) { yield 'got ' + x.slice(0, 5); yield x.slice(5, 9); yield x.slice(9) + '.' },
  async *letters(x) { yield* [...x] },
  toolName: (x) => ({ content: 'ok', tool_calls: [{ name: x, args: {} }] }),
  toolArg: (x) => ({ content: 'ok', tool_calls: [{ name: 'f', args: { a: [{ b: x }] } }] }),
  toolKey: (x) => ({ content: 'ok', tool_calls: [{ name: 'f', args: { [x]: 1 } }] }),
  toolText: (x) => ({ content: 'ok', tool_calls: [{ name: 'f', arguments: '{"a": "' + x + '", cut' }] }),
  toolResult: (x) => ({ content: 'ok', tool_calls: [{ name: 'f', args: {}, result: 'r ' + x, id: x }] }),
  toolError: (x) => ({ content: 'ok', tool_calls: [{ name: 'f', args: {}, error: x }] }),
  thrown: (x) => { throw new Error('no ' + x) },
  cause: (x) => { throw Object.assign(new Error('no', { cause: new Error(x) }), { code: x, name: x }) },
  log: (x) => { console.log(x); console.error({ x }); return 'ok' },
  stderr: (x) => { process.stderr.write(x.slice(0, 6)); process.stderr.write(x.slice(6) + '\\n'); return 'ok' },
  byLetters: (x) => { for (const letter of x) process.stdout.write(letter); return 'ok' },
  hint: (x) => ({ content: 'ok?', awaiting_input: true, input_hint: x }),
  finish: (x) => ({ content: 'ok', finish_reason: x }),
  key: (x) => ({ answer: { [x]: true } }),
  deep: (x) => ({ a: [[{ b: JSON.stringify({ c: JSON.stringify({ d: x }) }) }]] }),
  error: (x) => ({ content: 'ok', error: { message: x, type: x } }),
  next: (x) => ({ content: 'ok', next: { data: { x } } }),
  usage: (x) => ({ content: 'ok', usage: { input_tokens: 1, note: x, [x]: 2 } }),
  spans: (x) => ({ content: 'ok', spans: [{ name: x, attributes: { [x]: x } }] }),
  raw: (x) => ({ content: 'ok', raw: { x } }),
  list: (x) => ({ content: [1, x, { x }] }),
  refusal: (x) => ({ content: null, refusal: x }),
}
export const run = (messages) => {
  const [text, place] = given[Number(messages.at(-1).content)]
  return places[place](text)
}
`

test('what the environment holds is nowhere', { timeout: 60_000 }, async () => {
  const given = TRIES.map((each) => [spelled(each), each[2] ?? 'content'])
  const shown = Object.values(SHOWN).map((value) => [value, 'content'])
  const cases = [...given, ...shown].map((_, index) => ({
    id: `T${index}`,
    input: String(index),
    assert: [{ type: 'contains', value: 'zzz' }, { type: 'snapshot' }],
  }))
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'given.json': [...given, ...shown],
    'in/cases.jsonl': cases,
    'viva.config.json': {},
  })
  const around = Object.entries(AROUND).map(([name, parts]) => [name, parts.join('')] as const)
  const env = { ...ENV, ...Object.fromEntries(around), ...SHOWN }
  const test = ['test', '-i', 'in/cases.jsonl', '-n', './agent.mjs#run']
  const outputs = ['jsonl', 'json', 'md', 'html', 'xml', 'tap', 'ctrf.json', 'txt'].flatMap((end) => [
    '-o',
    `out/o.${end}`,
  ])
  const first = await viva([...test, ...outputs, '-v', '-U', '--history', '--record', 'out/tape.yaml'], { cwd, env })
  const rest = await Promise.all([
    viva([...test, '--json', '-o', 'out/p.jsonl', '--replay', 'out/tape.yaml'], { cwd, env }),
    viva(['extract', 'out/o.json', '-o', 'out/extracted'], { cwd, env }),
    viva(['history'], { cwd, env }),
    viva(['agent', ...test, '-v', '-o', 'out/q.jsonl', '--timeout', '20s'], {
      cwd,
      env: { ...env, GITHUB_ACTIONS: 'true' },
    }),
  ])
  const sinks = new Map<string, string>()
  for (const [index, { stdout, stderr }] of [first, ...rest].entries()) sinks.set(`output ${index}`, stdout + stderr)
  for (const name of readdirSync(cwd, { recursive: true, encoding: 'utf8' })) {
    const path = join(cwd, name)
    if (name !== 'given.json' && statSync(path).isFile()) sinks.set(name, readFileSync(path, 'utf8'))
  }
  expect([...sinks.keys()].some((name) => name.includes('snap'))).toBe(true)
  const results = parseEvents(sinks.get('out/o.jsonl') ?? '').filter(({ type }) => type === 'result')
  expect(results).toHaveLength(cases.length)
  const leaks = TRIES.flatMap((each) =>
    [...sinks].flatMap(([sink, text]) =>
      writtenAs(spelled(each)).some((needle) => text.includes(needle)) ? [`${each.join(' ')}: ${sink}`] : [],
    ),
  )
  expect(leaks).toEqual([])
  const hidden = Object.entries(SHOWN).filter(([, value]) => !sinks.get('out/o.jsonl')?.includes(value))
  expect(hidden).toEqual([])
})

/** As it is and as JSON spells it, once and twice. */
function writtenAs(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => [line, JSON.stringify(line).slice(1, -1), JSON.stringify(JSON.stringify(line)).slice(3, -3)])
}
