// The test command: builds, finds what the tests need beyond npm and says so, runs them, counts them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { changedTests } from './changed-tests.mjs'

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

mkdirSync('test/.tmp', { recursive: true })
const report = 'test/.tmp/results.json'
// No key may be in the environment: nothing in the tests can reach a real model.
const keys = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /_API_KEY$|^GITHUB_|^CI$/.test(name))
    .map((name) => [name, undefined]),
)
const status = run(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ],
  { ...keys, ...(chrome ? { CHROME_PATH: chrome } : {}) },
)
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
const failed = numFailedTests + (status !== 0 && numFailedTests === 0 ? 1 : 0)
console.log(`${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`)
process.exit(status === 0 && failed === 0 ? 0 : 1)
