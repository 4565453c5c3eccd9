// A backend that is a program: what its command line, its input and its output look like, and the one way to run all of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { defined } from '../../base/defined.js'
import type { Usage } from '../../model/message.js'
import { lastWords } from '../../process/last-words.js'
import type { Processes } from '../../process/processes.js'
import { MAX_OUTPUT_BYTES, runProcess, type RunResult } from '../../process/run-process.js'
import type { BackendChoice } from '../hats.js'
import type { Backend, BackendAnswer, BackendCall } from './backend.js'

export interface Program {
  name: string
  command: string
  /** What its answers say of their cost. */
  reports?: Backend['reports']
  /** Passed on from our environment when set. */
  variables?: Variables
  /** What must be set up for it to work; the program itself says whether it is. */
  needs?: readonly Need[]
  /** `args`: further arguments of the configuration. */
  invoke(prompt: string, args: string[], choice: BackendChoice): Invocation
  /** Used instead, for a prompt too long for an argument; absent: the argument names a file in the workspace. */
  invokeLong?: 'refuse' | ((prompt: string, args: string[]) => Invocation)
  /** Default: text. */
  reader?: (onText: (text: string) => void) => OutputReader
  /** Absent: it is not known to have any. */
  skills?: ProgramSkills
}

export interface ProgramSkills {
  /** Where it looks for them, below its working folder. */
  folder: string
  /** Which of them its model could choose from, after a call; absent: its output says. Undefined: it cannot be known. */
  offered?(context: SkillsContext): Promise<string[] | undefined> | undefined
}

export interface SkillsContext {
  /** As the call had it. */
  env: Readonly<Record<string, string | undefined>>
  session_id: string | undefined
  /** Asks the program itself, in the same folder; undefined if it fails. */
  ask(args: string[], env?: Record<string, string>): Promise<string | undefined>
}

export interface Variables {
  /** Any of these is a login. */
  keys: readonly string[]
  /** Addresses, and where its configuration is. */
  others?: readonly string[]
  /** Where a user's own settings and skills are, if not in the home folder. */
  homes?: readonly string[]
}

/** A question that the program answers without asking its model. */
export interface Need {
  what: 'login' | 'user'
  args: readonly string[]
  /** Default: always. False: the answer would mean nothing. */
  applies?(given: { args: readonly string[]; env: Readonly<Record<string, string | undefined>> }): boolean
  /** Only an answer that is understood counts: false is inconclusive. */
  isMissing(said: Pick<RunResult, 'exit_code' | 'stdout' | 'stderr'>): boolean
  message: string
  hint: string
}

export interface Invocation {
  args: string[]
  stdin?: string
}

export interface OutputReader {
  push(text: string): void
  end(): Pick<
    BackendAnswer,
    'output' | 'cost_dollars' | 'error' | 'tool_calls' | 'calls_cut' | 'tools' | 'skills' | 'session_id'
  > & { usage?: Usage }
}

export interface ProgramContext {
  cwd: string
  /** The base of a relative command. */
  commandDir: string
  env: Record<string, string>
  pass_env: string[]
  processes: Processes
  grace_ms?: number
}

/** Linux accepts no argument longer than 128 kB; other systems count all of them together. */
const LONGEST_ARGUMENT = 100_000

/** Throws a UserError if there is no such program. */
export function createProgramBackend(program: Program, choice: BackendChoice, context: ProgramContext): Backend {
  const { processes, cwd } = context
  processes.requireSupport(`the backend ${program.name}`)
  const command = processes.findExecutable(choice.command ?? program.command, context.commandDir)
  const extra = choice.args ?? []
  return {
    name: program.name,
    reports: program.reports ?? [],
    async call(call) {
      const { invocation, release } = prepare(program, call.prompt, extra, choice, cwd)
      try {
        return await run(program, call, context, command, invocation)
      } finally {
        release()
      }
    },
  }
}

function prepare(
  program: Program,
  prompt: string,
  extra: string[],
  choice: BackendChoice,
  cwd: string,
): { invocation: Invocation; release(): void } {
  const invocation = program.invoke(prompt, extra, choice)
  const isLong = invocation.args.some((arg) => Buffer.byteLength(arg) > LONGEST_ARGUMENT)
  const { invokeLong } = program
  if (!isLong || invokeLong === 'refuse') return { invocation, release: () => {} }
  if (invokeLong) return { invocation: invokeLong(prompt, extra), release: () => {} }
  // In the workspace: agents may not read elsewhere.
  const folder = mkdtempSync(join(cwd, '.viva-prompt-'))
  const file = join(folder, 'prompt.md')
  writeFileSync(file, prompt, { mode: 0o600 })
  return {
    invocation: program.invoke(`Read the file ${file} and do what it says.`, extra, choice),
    release: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function run(
  program: Program,
  call: BackendCall,
  context: ProgramContext,
  command: string,
  { args, stdin }: Invocation,
): Promise<BackendAnswer> {
  const reader = (program.reader ?? textReader)((text) => call.onOutput(text, true))
  call.onStart()
  const result = await runProcess(context.processes, {
    command,
    args,
    cwd: context.cwd,
    commandDir: context.commandDir,
    env: context.env,
    passEnv: context.pass_env,
    signal: call.signal,
    onStdout: (text) => reader.push(text),
    ...defined({ stdin, graceMs: context.grace_ms }),
  })
  if (result.stderr !== '') call.onOutput(result.stderr, false)
  const read = reader.end()
  const error = failureOf(program, result) ?? read.error
  const { error: _error, ...said } = read
  return { ...said, stderr: result.stderr, exit_code: result.exit_code, ...defined({ error }) }
}

function failureOf({ name }: Program, result: RunResult): string | undefined {
  if (result.too_large) return `${name} wrote more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB and was killed`
  if (result.signal !== null) return `${name} was killed by ${result.signal}${lastWords(result.stderr)}`
  return result.exit_code === 0 ? undefined : `${name} exited with ${result.exit_code}${lastWords(result.stderr)}`
}

/** Terminal colours are not part of what was said. */
function textReader(onText: (text: string) => void): OutputReader {
  const pieces: string[] = []
  return {
    push: (text) => {
      onText(text)
      pieces.push(text)
    },
    end: () => ({ output: stripVTControlCharacters(pieces.join('')) }),
  }
}
