// The machine: Node, folders that must be writable, how long the disk and a case take.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { arch, tmpdir, type } from 'node:os'
import { join } from 'node:path'
import { runTests } from '../../library/run-tests.js'
import { defineCases } from '../../model/define-cases.js'
import { messageOf } from '../../base/message-of.js'
import { Processes } from '../../process/processes.js'
import { runProcess } from '../../process/run-process.js'
import { isFolder } from '../../files/stat.js'
import { monotonicNow } from '../../time/clock.js'
import { version } from '../../version.js'
import { bad, good, note, type Finding } from './finding.js'

const OLDEST_NODE: readonly [number, number] = [20, 19]
/** Above these something is in the way: a network disk, a scanner, an emulated processor. */
const SLOW_SYNC_MS = 50
const SLOW_CASE_MS = 250

export function checkNode(found = process.versions.node): Finding {
  const [major = 0, minor = 0] = found.split('.').map(Number)
  const [needMajor, needMinor] = OLDEST_NODE
  const isEnough = major > needMajor || (major === needMajor && minor >= needMinor)
  const text = `Node.js ${found} on ${type()} ${arch()}, viva ${version()}`
  return isEnough ? good('versions', text) : bad('versions', text, `install Node.js ${needMajor}.${needMinor} or newer`)
}

export function checkFolders(appRoot: string, cwd: string): Finding[] {
  const own = join(appRoot, '.viva')
  const folders = [...new Set([cwd, ...(isFolder(own) ? [own] : []), tmpdir()])]
  return folders.map((folder) => {
    try {
      rmSync(mkdtempSync(join(folder, '.viva-doctor-')), { recursive: true, force: true })
      return good('folder', `${folder} is writable`)
    } catch (error) {
      return bad(
        'folder',
        `${folder} is not writable: ${messageOf(error)}`,
        'event files and reports need it: see -o, TMPDIR',
      )
    }
  })
}

export function checkDisk(): Finding {
  const folder = mkdtempSync(join(tmpdir(), 'viva-doctor-'))
  try {
    const file = openSync(join(folder, 'sync'), 'w')
    const times = Array.from({ length: 5 }, () => {
      const started = monotonicNow()
      writeSync(file, 'x'.repeat(4096))
      fsyncSync(file)
      return monotonicNow() - started
    })
    closeSync(file)
    const ms = Math.max(...times)
    const text = `fsync takes ${rounded(ms)} ms`
    return ms < SLOW_SYNC_MS
      ? good('disk', text)
      : note('disk', text, 'a slow disk delays long runs a little, not their verdicts')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function checkSpeed(): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-doctor-'))
  const cases = defineCases([{ id: 'echo', input: 'hello', assert: { type: 'contains', value: 'hello' } }])
  try {
    const started = monotonicNow()
    const { exit_code } = await runTests({ cases, name: 'builtin:echo' }, { cwd: folder, env: {} })
    const ms = monotonicNow() - started
    if (exit_code !== 0) return bad('speed', `a minimal case ended with exit code ${exit_code}`, 'reinstall viva')
    const text = `a minimal case takes ${rounded(ms)} ms`
    return ms < SLOW_CASE_MS
      ? good('speed', text)
      : note('speed', text, 'the machine is busy or slow: raise --timeout, lower --parallel')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `viva diff` needs it; nothing else does. */
export async function checkGit(cwd: string): Promise<Finding> {
  const processes = new Processes({ env: process.env, cwd })
  try {
    const signal = new AbortController().signal
    const { stdout } = await runProcess(processes, { command: 'git', args: ['--version'], cwd, signal, passEnv: [] })
    return good('git', stdout.trim())
  } catch {
    return note('git', 'git was not found', 'only viva diff needs it')
  } finally {
    await processes.close()
  }
}

function rounded(ms: number): number {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)
}
