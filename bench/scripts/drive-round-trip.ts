// Measures synchronous calls inside a script test and prints the median in microseconds. Argument: a folder to work in.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentContext } from '../../src/model/agent.js'
import { Processes } from '../../src/process/processes.js'
import { openHttp } from '../../src/http/open-http.js'
import { openScripts } from '../../src/scripts/host/runtime.js'

const [appRoot = ''] = process.argv.slice(2)
const source = join(appRoot, 'assistants', 'bench', 'src')
mkdirSync(source, { recursive: true })
writeFileSync(join(appRoot, 'assistants', 'bench', 'package.yao'), '{ "name": "bench" }')
writeFileSync(
  join(source, 'trip_test.ts'),
  `function TestTrip(t) {
  const times = []
  for (let i = 0; i < 5000; i++) {
    const began = process.hrtime.bigint()
    Process('agents.bench.Stream', 'hello')
    times.push(Number(process.hrtime.bigint() - began) / 1000)
  }
  times.sort((a, b) => a - b)
  t.log(times[times.length >> 1].toFixed(1))
}
`,
)
const context: AgentContext = {
  chat_id: 'bench',
  assistant_id: 'bench',
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
  client: { type: 'test', ip: '127.0.0.1' },
  metadata: {},
  authorized: { user_id: 'test-user', team_id: 'test-team' },
}
const scripts = openScripts({
  appRoot,
  processes: new Processes({ env: process.env, cwd: process.cwd() }),
  http: openHttp({ env: {} }),
  poolSize: 1,
  handlers: { process: async () => ({ content: 'hello' }), judge: async () => ({ passed: true }) },
})
for (const file of await scripts.find('scripts.*')) {
  await scripts.runFile({
    file,
    tests: file.tests,
    context,
    timeout_ms: 60_000,
    fail_fast: false,
    signal: new AbortController().signal,
    onStart() {},
    onOutcome: (_test, outcome) => console.log(outcome.status === 'passed' ? outcome.logs[0] : outcome.error),
    onError: (message) => console.error(message),
  })
}
await scripts.close()
