// Whether backends are set up, asked of the programs themselves before the first iteration. Nothing is sent to a model.
import { ownValue } from '../../base/record.js'
import { UserError } from '../../errors.js'
import type { Processes } from '../../process/processes.js'
import { runProcess } from '../../process/run-process.js'
import type { BackendChoice } from '../hats.js'
import { findProgram } from './kinds.js'
import type { Need, Program, Variables } from './program.js'

export interface ReadyContext {
  cwd: string
  /** For the program, over what it is passed of ours. */
  env: Record<string, string>
  pass_env: string[]
  processes: Processes
  note?: ((text: string) => void) | undefined
}

/** Throws a UserError that says what to do. Names, once, which variables a program is given without being asked. */
export async function requireBackends(choices: readonly BackendChoice[], context: ReadyContext): Promise<void> {
  const { processes, env } = context
  for (const choice of choices) {
    const program = await findProgram(choice.type)
    if (!program) continue
    // Each is asked once, however many cases need it.
    const key = JSON.stringify(['needs', choice, env])
    let missing = processes.told.get(key) as Promise<Need[]> | undefined
    if (!missing) {
      processes.told.set(key, (missing = missingNeeds(program, choice, context)))
      const passed = setVariables(program.variables, processes.env)
      if (passed.length > 0) context.note?.(`${program.name} is given ${passed.join(', ')}`)
    }
    const [first] = await missing
    if (first) throw notReady(first)
  }
}

export async function missingNeeds(program: Program, choice: BackendChoice, context: ReadyContext): Promise<Need[]> {
  const { processes, cwd, env, pass_env } = context
  const all = { ...processes.env, ...env }
  const hasKey = program.variables?.keys.some((name) => ownValue(all, name)) === true
  const missing: Need[] = []
  for (const need of program.needs ?? []) {
    if (need.what === 'login' && hasKey) continue
    if (need.applies?.({ args: choice.args ?? [], env: all }) === false) continue
    const said = await runProcess(processes, {
      command: processes.findExecutable(choice.command ?? program.command, processes.cwd),
      args: [...need.args],
      cwd,
      env,
      passEnv: [...pass_env, ...setVariables(program.variables, processes.env)],
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!said.aborted && need.isMissing(said)) missing.push(need)
  }
  return missing
}

/** A program that does not answer is not known to lack anything. */
const PATIENCE_MS = 20_000

/** Of those that a program is known to read, the names that have a value; `ownHome`: it has a home folder of its own. */
export function setVariables(
  variables: Variables | undefined,
  env: Readonly<Record<string, string | undefined>>,
  ownHome = false,
): string[] {
  const { keys = [], others = [], homes = [] } = variables ?? {}
  return [...keys, ...others, ...(ownHome ? [] : homes)].filter((name) => env[name])
}

function notReady({ message, hint }: Need): UserError {
  return new UserError({ code: 'BACKEND_NOT_READY', message, hint })
}
