// The test command: builds, finds what the tests need beyond npm and says so, runs them, counts them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changedTests } from './changed-tests.mjs'
import { findRedis } from './redis.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

const [first, base] = process.argv.slice(2)
const filters = first === 'changed' ? (changedTests(base) ?? []) : process.argv.slice(2)
if (first === 'changed') console.log(`tests of what changed: ${filters.join(' ') || 'all'}`)

if (run(process.execPath, ['build/build.mjs']) !== 0) process.exit(1)

const chromes = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']
const chrome = chromes.find((path) => path && existsSync(path))
console.log(`browser: ${chrome ?? 'the Chromium that comes with @sparticuz/chromium'}`)

const redis = findRedis()
console.log(`redis: ${redis?.command ?? 'none: the tests in test/fleet are skipped'}`)

mkdirSync('test/.tmp', { recursive: true })
const report = 'test/.tmp/results.json'
// No key may be in the environment: nothing in the tests can reach a real model. Nor certificates, which every process
// that starts Node would read for nothing.
const left = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /_API_KEY$|^GITHUB_|^CI$|^NODE_EXTRA_CA_CERTS$/.test(name))
    .map((name) => [name, undefined]),
)
const environment = { ...left, ...(chrome ? { CHROME_PATH: chrome } : {}) }
const runTests = (args) => {
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], environment)
  return { status, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined }
}

const whole = runTests(filters)
const broken = (whole.report?.testResults ?? []).filter(({ status }) => status === 'failed')
// A busy machine can make a test miss its time. What fails beside others gets one more try alone, and is named either way.
const mayRepeat = whole.status !== 0 && broken.length > 0 && broken.length <= 5
const again = mayRepeat ? runTests(['--maxWorkers=1', ...broken.map(({ name }) => name)]) : undefined
if (again?.status === 0)
  for (const { name, assertionResults } of broken)
    for (const { fullName } of assertionResults.filter(({ status }) => status === 'failed'))
      console.log(`flaky: failed beside others, passed alone: ${relative(root, name)} > ${fullName}`)

const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = whole.report ?? {}
const status = again?.status ?? whole.status
const failed = status === 0 ? 0 : Math.max(1, again?.report?.numFailedTests ?? numFailedTests)
const passed = numPassedTests + (again ? numFailedTests - failed : 0)
console.log(`${passed} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`)
process.exit(status === 0 ? 0 : 1)
