// Installs what the real agents need: Node 24 and one folder of packages per agent, outside the checkout.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** As root, the agents run as another user, who cannot enter the home of root. */
const KEPT = process.getuid?.() === 0 ? '/var/tmp/viva-real' : join(homedir(), '.cache', 'viva-real')

/** About 3 GB; removed and installed again where the lock file has changed. */
export const CACHE = process.env.VIVA_REAL_CACHE ?? KEPT

/** Every folder with a lock file, `node-24` first: it brings the Node that installs and runs the others. */
export const AGENTS = readdirSync(HERE).filter((name) => existsSync(join(HERE, name, 'package-lock.json')))

/** Returns the folder with its `node_modules`. */
export function install(name, log = console.log) {
  const files = ['package.json', 'package-lock.json'].map((file) => join(HERE, name, file))
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const key = hash.digest('hex')
  const folder = join(CACHE, name)
  const stamp = join(folder, '.installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== key) {
    log(`installing ${name}`)
    const next = join(CACHE, `.${name}.${process.pid}`)
    rmSync(next, { recursive: true, force: true })
    mkdirSync(next, { recursive: true })
    for (const file of files) copyFileSync(file, join(next, file.slice(join(HERE, name).length + 1)))
    const { status, stdout, stderr } = runNpm(name, next)
    if (status !== 0) throw new Error(`npm install failed in test/real/${name}:\n${stdout}${stderr}`)
    rmSync(folder, { recursive: true, force: true })
    renameSync(next, folder)
    writeFileSync(stamp, key)
  }
  requireLocked(name, folder)
  return folder
}

/** Node 24, from the npm package `node`. */
export function node24() {
  return join(CACHE, 'node-24', 'node_modules', 'node', 'bin', 'node')
}

function runNpm(name, cwd) {
  // Not `npm ci`: a registry that lacks a package of another platform would make it fail.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false', '--include=optional']
  const options = { cwd, encoding: 'utf8', env: { ...process.env, NODE_ENV: '' } }
  // The first one is installed by the Node at hand.
  if (name === 'node-24') return spawnSync('npm', args, options)
  const path = `${dirname(node24())}:${process.env.PATH}`
  return spawnSync(node24(), [npmCli(), ...args], { ...options, env: { ...options.env, PATH: path } })
}

function npmCli() {
  const { stdout } = spawnSync('npm', ['root', '-g'], { encoding: 'utf8' })
  return join(stdout.trim(), 'npm', 'bin', 'npm-cli.js')
}

/** What is installed must be what package.json names: a range or a stale cache would test something else. */
function requireLocked(name, folder) {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, name, 'package.json'), 'utf8'))
  for (const [dependency, wanted] of Object.entries(dependencies)) {
    const path = join(folder, 'node_modules', dependency, 'package.json')
    const { version } = JSON.parse(readFileSync(path, 'utf8'))
    if (version !== wanted) throw new Error(`${path} is version ${version}, locked is ${wanted}: remove ${folder}`)
  }
}

/** Name → exact version, as locked. */
export function versionsOf(name) {
  return JSON.parse(readFileSync(join(HERE, name, 'package.json'), 'utf8')).dependencies
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of ['node-24', ...AGENTS.filter((each) => each !== 'node-24')]) install(name)
}
