// 300 cases, 50 at once, against an endpoint that takes 20 requests a second: how long, and is any lost?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measure, ratio, seconds, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const CALLS = 300
const PER_SECOND = 20
const PARALLEL = 50
const ideal = CALLS / PER_SECOND

const app = `${WORK}rate-limit/`
rmSync(app, { recursive: true, force: true })
for (const folder of ['connectors', 'assistants/hello']) mkdirSync(app + folder, { recursive: true })
const line = (_, i) =>
  `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'equals', value: 'hello' } })}\n`
writeFileSync(`${app}cases.jsonl`, Array.from({ length: CALLS }, line).join(''))
writeFileSync(`${app}app.yao`, '{}')
writeFileSync(`${app}assistants/hello/package.yao`, JSON.stringify({ name: 'Hello', connector: 'limited' }))
writeFileSync(`${app}assistants/hello/prompts.yml`, '- role: system\n  content: Say hello.\n')

const rows = []
for (const kind of ['connector', 'http']) {
  const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [String(PER_SECOND)])
  const [{ port }] = await once(server, 'message')
  const origin = `http://127.0.0.1:${port}`
  const options = { model: 'any', host: origin }
  writeFileSync(`${app}connectors/limited.conn.yao`, JSON.stringify({ type: 'openai', options }))
  const target = kind === 'http' ? `${origin}/v1` : 'hello'
  const args = [
    VIVA,
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    target,
    '--parallel',
    String(PARALLEL),
    '-o',
    'events.jsonl',
    '--force',
  ]
  const result = await measure(process.execPath, args, { cwd: app })
  const { answered, refused } = await (await fetch(`${origin}/counts`)).json()
  server.kill()
  if (result.code !== 0) throw new Error(`${kind}: exit code ${result.code}\n${result.stdout.slice(-2000)}`)
  if (answered !== CALLS) throw new Error(`${kind}: ${answered} of ${CALLS} calls were answered`)
  rows.push([
    kind === 'http' ? 'URL' : 'package, openai connector',
    seconds(result.wall),
    ratio(result.wall, ideal),
    '≤ 1.5×',
    refused,
  ])
}
const text = `${CALLS} cases with --parallel ${PARALLEL} against ${PER_SECOND} requests a second (429 and \`Retry-After: 1\` beyond): ${ideal} s by the limit alone. All passed.`
record('Rate limit', `${text}\n\n${table(['agent', 'wall', 'against the limit', 'bar', 'refused requests'], rows)}`)
