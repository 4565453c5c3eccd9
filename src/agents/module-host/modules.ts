// Every module agent of a run: a pool of processes for each file and role, closed together.
import { relative } from 'node:path'
import { Clock } from '../../time/clock.js'
import type { Processes } from '../../process/processes.js'
import { ModulePool } from './module-pool.js'

/** What a module is used for: the agent under test never shares a process with the judge. */
export type ModuleRole = 'agent' | 'helper'

export interface ModulesInit {
  /** Where they are started. */
  programs: Processes
  /** `--agent-processes`: processes for each module. */
  processes?: number
  /** Loading a module may take this long. */
  loadMs?: number
  /** Of the run; default: their own. */
  clock?: Clock
  strayOutput?: StrayModuleOutput
  /** Variables for processes of agents that several conversations share. */
  env?: Record<string, string> | undefined
}

/** What belongs to no call; `where`: the module, and the case if one is known. */
export interface StrayModuleOutput {
  log(lines: string[], where: string): void
  /** Uncaught. */
  stray(message: string, where: string): void
  /** For the person at the terminal: where the debugger listens. */
  notice(text: string): void
}

export interface Modules {
  pool(file: string, role: ModuleRole): ModulePool
  close(): Promise<void>
}

const LOAD_MS = 300_000

export function openModules(init: ModulesInit): Modules {
  const { programs, processes = 1, loadMs = LOAD_MS, clock = new Clock(), strayOutput, env } = init
  const pools = new Map<string, ModulePool>()
  let started = 0
  return {
    pool(file, role) {
      const key = `${role}:${file}`
      const known = pools.get(key)
      if (known) return known
      const where = relative(programs.cwd, file)
      const made = new ModulePool({
        file,
        programs,
        processes,
        loadMs,
        clock,
        nextNumber: () => ++started,
        ...(role === 'agent' && { env }),
        events: {
          log: (lines) => strayOutput?.log(lines, where),
          stray: (message, caseId) =>
            strayOutput?.stray(message, caseId === undefined ? where : `${where}, case ${caseId}`),
          notice: (text) => strayOutput?.notice(text),
        },
      })
      pools.set(key, made)
      return made
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}
