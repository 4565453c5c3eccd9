// Forty secrets in prompts, answers, tool results, headers, the environment and errors: none is in a byte that is left.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { viva } from '../support/run-cli.js'
import { app, startChat } from './support.js'

/** Made up, and the same every time. */
function random(
  seed: string,
  length: number,
  alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789',
): string {
  let text = ''
  for (let round = 0; text.length < length; round++)
    for (const byte of createHash('sha256').update(`${seed} ${round}`).digest())
      text += alphabet[byte % alphabet.length]
  return text.slice(0, length)
}

const NAMES = ['API_KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'ACCESS_KEY', 'PRIVATE_KEY', 'AUTH_TOKEN', 'CLIENT_SECRET']
const ENV = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [`APP${n}_${NAMES[n % NAMES.length]}`, `${random(`env ${n}`, 12 + n)}-${n}`]),
)
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const SHAPED = [
  ...Array.from({ length: 4 }, (_, n) => `sk-proj-${random(`openai ${n}`, 48)}`),
  ...Array.from({ length: 4 }, (_, n) => `sk-ant-api03-${random(`anthropic ${n}`, 80)}`),
  ...Array.from({ length: 4 }, (_, n) => `ghp_${random(`github ${n}`, 36)}`),
  ...Array.from({ length: 3 }, (_, n) => `AKIA${random(`aws ${n}`, 16, upper)}`),
  ...Array.from(
    { length: 3 },
    (_, n) => `xoxb-${random(`slack ${n}`, 12, '0123456789')}-${random(`slack b ${n}`, 24)}`,
  ),
  ...Array.from(
    { length: 2 },
    (_, n) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI${random(`jwt ${n}`, 20)}.${random(`sig ${n}`, 43)}`,
  ),
]
const SECRETS = [...Object.values(ENV), ...SHAPED]

test('a recorded, verbose, failing run leaves and prints none of forty secrets', async () => {
  expect(SECRETS).toHaveLength(40)
  // In answers, in what tools return, in what is thrown.
  const chat = await startChat((last) => `You said: ${last} and ${SECRETS.join(' or ')}`)
  const said = { type: 'equals', value: 'never' }
  const tool = `export default (messages) => {
  const text = messages.at(-1).content
  if (text.includes('throw')) throw new Error('refused: ' + process.env.ALL)
  return { content: 'said ' + process.env.ALL, tool_calls: [{ name: 'fetch', args: { authorization: 'Bearer ' + process.env.ALL.split(' ')[20] }, result: { body: process.env.ALL } }] }
}
`
  const inputs = [...SECRETS.map((secret) => `use ${secret} here`), 'throw']
  const cases = inputs.map((input, n) => ({
    id: `T${n}`,
    input,
    assert: said,
    metadata: { note: `Bearer ${SHAPED[n % 20]}` },
  }))
  const headers = await startHeaders()
  // In the headers of a request and of its answer.
  const hook = `export function Create(ctx, messages) {
  const said = http.Get('${headers}', null, { authorization: 'Bearer ' + messages.at(-1).content, 'x-api-key': '${SHAPED[6]}' })
  return { messages: [...messages, { role: 'user', content: JSON.stringify(said.headers) }] }
}
`
  const dir = app(chat.url, [], {
    'in/cases.jsonl': cases,
    'in/agent.mjs': tool,
    'assistants/desk/src/index.ts': hook,
  })
  const env = { ...ENV, MODEL_KEY: SHAPED[0] ?? '', ALL: SECRETS.join(' ') }
  const reports = ['jsonl', 'json', 'md', 'html', 'xml', 'txt']
  const texts: string[] = []
  for (const [name, place] of [
    ['desk', 'tape.yaml'],
    ['./in/agent.mjs', 'tapes'],
  ] as const) {
    const outputs = (kind: string): string[] => reports.flatMap((format) => ['-o', `${kind}-${place}.${format}`])
    const args = ['test', '-i', 'in/cases.jsonl', '-n', name, '-v', '--parallel', '4', '--pass-env', 'ALL']
    const recorded = await viva([...args, '--record', place, ...outputs('record')], { cwd: dir, env })
    expect(recorded.code).toBe(1)
    const replayed = await viva([...args, '--replay', place, ...outputs('replay')], { cwd: dir, env })
    const strange = await viva([...args, '--replay', place, ...outputs('strange'), '--user', `u-${SHAPED[4]}`], {
      cwd: dir,
      env,
    })
    const cached = await viva([...args, '--cache', ...outputs('cache')], { cwd: dir, env })
    for (const { stdout, stderr } of [recorded, replayed, strange, cached]) texts.push(stdout, stderr)
  }
  const left = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/^(?:in|assistants|connectors)/.test(file) && statSync(join(dir, file)).isFile(),
  )
  expect(left.length).toBeGreaterThan(60)
  expect(readFileSync(join(dir, 'tape.yaml'), 'utf8')).toContain('X-Said')
  for (const file of left) texts.push(readFileSync(join(dir, file), 'latin1'))
  const found = SECRETS.flatMap((secret, n) =>
    texts.flatMap((text, at) => (text.includes(secret) ? [`${n} in ${at}`] : [])),
  )
  expect(found).toEqual([])
  expect(readFileSync(join(dir, 'tape.yaml'), 'utf8')).toContain('[SECRET]')
})

test('a secret in the id of a case is in no file and in no name of one, and two such cases are told apart', async () => {
  const [one = '', two = ''] = SHAPED
  const chat = await startChat((last) => `You said: ${last.slice(-3)}`)
  const cases = [one, two].map((secret) => ({
    id: `about ${secret}`,
    input: `hello ${secret.slice(-3)}`,
    assert: [{ type: 'contains', value: secret.slice(-3) }, { type: 'snapshot' }],
  }))
  const dir = app(chat.url, [], { 'in/cases.jsonl': cases })
  const args = ['test', '-i', 'in/cases.jsonl', '-n', 'desk', '--force', '-o', 'out.jsonl']
  const env = { MODEL_KEY: SHAPED[5] ?? '' }
  for (const more of [['--record', 'tapes', '-U'], ['--record', 'tape.yaml'], ['--cache']]) {
    const { code, stderr } = await viva([...args, ...more], { cwd: dir, env })
    expect([more, code, stderr]).toEqual([more, 0, expect.not.stringContaining('error')])
  }
  for (const place of ['tapes', 'tape.yaml']) {
    const { code, stdout } = await viva([...args, '--replay', place], { cwd: dir })
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 replayed')])
  }
  const listed = await viva(['cassette', 'list', 'tapes'], { cwd: dir })
  const left = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file !== join('in', 'cases.jsonl'),
  )
  const files = left.filter((file) => statSync(join(dir, file)).isFile())
  expect(files.filter((file) => /^tapes|\.snap$|cache/.test(file)).length).toBeGreaterThan(5)
  const texts = [listed.stdout, ...left, ...files.map((file) => readFileSync(join(dir, file), 'utf8'))]
  expect(texts.filter((text) => text.includes(one) || text.includes(two))).toEqual([])
})

/** Answers with the headers that it was sent. */
async function startHeaders(): Promise<string> {
  const server = createServer(({ headers }, response) => {
    response.setHeader('x-said', `${headers['authorization']} ${String(headers['x-api-key'])}`)
    response.setHeader('set-cookie', `session=${String(headers['x-api-key'])}`)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
