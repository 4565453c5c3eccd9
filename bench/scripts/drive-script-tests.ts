// Runs every script test of an application and checks that all passed. Arguments: application root, number of tests.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentContext } from '../../src/model/agent.js'
import { Processes } from '../../src/process/processes.js'
import { openHttp } from '../../src/http/open-http.js'
import { openScripts } from '../../src/scripts/host/runtime.js'

const [appRoot = '', expected = ''] = process.argv.slice(2)
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
  poolSize: 2,
  handlers: { process: async () => null, judge: async () => ({ passed: true }) },
})
const files = await scripts.find('scripts.*')
let passed = 0
const queue = [...files]
const worker = async (): Promise<void> => {
  for (let file = queue.shift(); file; file = queue.shift()) {
    await scripts.runFile({
      file,
      tests: file.tests,
      context,
      timeout_ms: 30_000,
      fail_fast: false,
      signal: new AbortController().signal,
      onStart() {},
      onOutcome(_test, outcome) {
        if (outcome.status === 'passed') passed++
      },
      onError(message) {
        console.error(message)
      },
    })
  }
}
await Promise.all([worker(), worker()])
await scripts.close()
// The bundler's own process counts too, which it does once it has been waited for.
await (await import('esbuild')).stop()
while (readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim() !== '') await delay(5)
if (String(passed) !== expected) throw new Error(`${passed} of ${expected} tests passed`)
