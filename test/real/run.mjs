// `npm run test:real`: real SDKs and coding agents against the loopback model. What came out is written to docs/trust/real-agents.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AGENTS, CACHE, install } from './install.mjs'
import { USER } from './as-user.mjs'
import { writePage } from './page.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

if (run(process.execPath, ['build/build.mjs']) !== 0) process.exit(1)
console.log(`packages: ${CACHE}`)
for (const name of ['node-24', ...AGENTS.filter((each) => each !== 'node-24')]) install(name)
if (process.getuid?.() === 0 && spawnSync('id', [USER]).status !== 0) {
  console.log(`user: ${USER}, created: Claude Code refuses to work unattended as root`)
  if (run('useradd', ['--create-home', USER]) !== 0)
    console.log(`user: ${USER} cannot be created: Claude Code is left out, the others run as root`)
}

const results = 'test/.tmp/real.jsonl'
mkdirSync('test/.tmp', { recursive: true })
rmSync(results, { force: true })
const filters = process.argv.slice(2)
const status = run(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/real/vitest.config.ts', ...filters],
  {
    VIVA_REAL_RESULTS: results,
  },
)
if (filters.length > 0) console.log('docs/trust/real-agents.md is written by a whole run')
else if (status !== 0) console.log('docs/trust/real-agents.md is left as it is: not everything was as it should be')
else if (existsSync(results)) writePage(results)
process.exit(status)
