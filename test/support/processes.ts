// The programs of one test, with the environment and folder of the test run itself.
import { execFileSync } from 'node:child_process'
import { readlinkSync, realpathSync } from 'node:fs'
import { Processes, type ProcessesInit } from '../../src/process/processes.js'

export function createProcesses(over: Partial<ProcessesInit> = {}): Processes {
  return new Processes({ env: process.env, cwd: process.cwd(), ...over })
}

/** Command lines with this text, of living processes in this folder: others on the machine may run the same programs. */
export function aliveIn(folder: string, text: string): string[] {
  const root = realpathSync(folder)
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=', '-o', 'stat=', '-o', 'args='], { encoding: 'utf8' })
  return lines.split('\n').flatMap((line) => {
    const [, pid, state = '', command = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return command.includes(text) && !state.startsWith('Z') && isIn(root, pid) ? [command] : []
  })
}

/** Only Linux says where a process is. */
function isIn(folder: string, pid: string | undefined): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '') === folder
  } catch {
    return false
  }
}

/** A zombie, whose parent has yet to look at it, is dead. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z')
  } catch {
    return false
  }
}
