// Programs on PATH that stand in for the command lines of real agents.
import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFolder } from './run-cli.js'

export interface StandInCall {
  name: string
  argv: string[]
  stdin: string
  env: Record<string, string>
  cwd: string
}

export interface StandIns {
  /** Of the caller: PATH leads to the stand-ins. */
  own: Record<string, string>
  /** For the stand-ins: where they note how they were called. */
  env: Record<string, string>
  calls(): StandInCall[]
  /** Of the one that never ends, and of what it started. */
  pids(): number[]
}

const FIXTURES = fileURLToPath(new URL('../fixtures/orchestrator/', import.meta.url))

export function standIns(names: string[], file = 'stand-in.mjs'): StandIns {
  const dir = makeFolder()
  const log = join(dir, 'calls.jsonl')
  for (const name of names) {
    const source = join(dir, `${name}.mjs`)
    copyFileSync(join(FIXTURES, file), source)
    // `import` needs the ending; the program is known without it.
    writeFileSync(join(dir, name), `#!/bin/sh\nexec node "${source}" "$@"\n`)
    chmodSync(join(dir, name), 0o755)
  }
  return {
    own: {
      ...(process.env as Record<string, string>),
      PATH: [dir, dirname(process.execPath), process.env['PATH']].join(delimiter),
    },
    env: { STAND_IN_LOG: log },
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as StandInCall)
        : [],
    pids: () => readFileSync(`${log}.pids`, 'utf8').split(' ').map(Number),
  }
}
