// A Redis for the tests: one on PATH, else one unpacked from Debian's packages without root, else none.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva-test-redis')
const PACKAGES = ['redis-server', 'redis-tools', 'libjemalloc2', 'liblzf1']

/** How to start it, or undefined where none can be had. `unpack`: may take a minute and the network. */
export function findRedis({ unpack = true } = {}) {
  for (const name of ['redis-server', 'valkey-server']) if (works(name, {})) return { command: name, env: {} }
  return unpacked() ?? (unpack && getPackages() ? unpacked() : undefined)
}

function unpacked() {
  const command = join(CACHE, 'usr/bin/redis-server')
  const lib = join(CACHE, 'usr/lib')
  if (!existsSync(command)) return undefined
  const folders = [lib, ...readdirSync(lib).map((name) => join(lib, name))]
  const env = { LD_LIBRARY_PATH: folders.join(':') }
  return works(command, env) ? { command, env } : undefined
}

function works(command, env) {
  return spawnSync(command, ['--version'], { env: { ...process.env, ...env }, timeout: 10_000 }).status === 0
}

function getPackages() {
  mkdirSync(dirname(CACHE), { recursive: true })
  const folder = mkdtempSync(`${CACHE}-`)
  try {
    const debs = join(folder, 'debs')
    mkdirSync(debs)
    if (!download(debs, []) && !downloadWithLists(folder, debs)) return false
    for (const name of readdirSync(debs).filter((each) => each.endsWith('.deb')))
      if (run('dpkg-deb', ['-x', join(debs, name), join(folder, 'root')], folder) !== 0) return false
    // Whoever comes second has the same.
    if (!existsSync(CACHE)) renameSync(join(folder, 'root'), CACHE)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Images often come without the lists of packages, and only root may fetch them to their usual place. */
function downloadWithLists(folder, debs) {
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, name), { recursive: true })
  const own = [
    '-o',
    `Dir::State=${folder}/state`,
    '-o',
    'Dir::State::status=/var/lib/dpkg/status',
    '-o',
    `Dir::Cache=${folder}/cache`,
  ]
  return run('apt-get', [...QUICK, ...own, 'update'], debs) === 0 && download(debs, own)
}

const QUICK = ['-q', '-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=1']

function download(debs, own) {
  return run('apt-get', [...QUICK, ...own, 'download', ...PACKAGES], debs) === 0
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, stdio: 'ignore', timeout: 120_000 }).status ?? 1
}
