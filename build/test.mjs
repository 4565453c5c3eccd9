// The test command: builds, finds what the tests need beyond npm and says so, runs them, counts them.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
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
// No key may be in the environment: nothing in the tests can reach a real model. Nor certificates, which every process
// that starts Node would read for nothing.
const left = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /_API_KEY$|^GITHUB_|^CI$|^NODE_EXTRA_CA_CERTS$/.test(name))
    .map((name) => [name, undefined]),
)
const environment = { ...left, ...(chrome ? { CHROME_PATH: chrome } : {}) }
/** `quiet`: what it prints comes at its end. */
const runTests = async (name, args, quiet = false) => {
  const report = `test/.tmp/${name}.json`
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    env: { ...process.env, ...environment },
  })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => printed.push(data))
  const [status] = await once(child, 'close')
  process.stdout.write(Buffer.concat(printed))
  return { status: status ?? 1, report: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined }
}

// Tests that need a process of their own mostly wait: one after another, they leave the cores to all others beside them.
const parts =
  filters.length > 0
    ? [runTests('results', filters)]
    : [
        runTests('results', ['--project=whole', '--project=unit']),
        runTests('alone', ['--project=alone', '--maxWorkers=1'], true),
      ]
const whole = await Promise.all(parts)
const brokenIn = ({ report }) => (report?.testResults ?? []).filter(({ status }) => status === 'failed')
const broken = whole.flatMap(brokenIn)
const isGreen = whole.every(({ status }) => status === 0)
/** A part that failed without a failing test has crashed: no other try can make that good. */
const hasCrashed = whole.some((part) => part.status !== 0 && brokenIn(part).length === 0)
// A busy CI machine can make a test miss its time: there, what fails beside others gets one more try alone, and counts as
// flaky if it passes. Elsewhere a flake is red.
const mayRepeat = process.env.CI !== undefined && !isGreen && !hasCrashed && broken.length <= 5
const again = mayRepeat ? await runTests('again', ['--maxWorkers=1', ...broken.map(({ name }) => name)]) : undefined
const flaky =
  again?.status === 0
    ? broken.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName }) => `${relative(root, name)} > ${fullName}`),
      )
    : []
for (const name of flaky) console.log(`flaky: failed beside others, passed alone: ${name}`)

const count = (key) => whole.reduce((sum, { report }) => sum + (report?.[key] ?? 0), 0)
const skipped = count('numPendingTests')
const isPassed = again ? again.status === 0 : isGreen
const failed = isPassed ? 0 : Math.max(1, again?.report?.numFailedTests ?? count('numFailedTests'))
const passed = count('numPassedTests') + (again ? count('numFailedTests') - failed : 0)
const more = [skipped > 0 && `${skipped} skipped`, flaky.length > 0 && `${flaky.length} flaky`].filter(Boolean)
console.log([`${passed} passed`, `${failed} failed`, ...more].join(', '))
process.exit(isPassed ? 0 : 1)
