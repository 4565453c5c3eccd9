// Coding agents by name: each is started for real, and asked what it lacks. Its model is asked only with `--try`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCost, plural } from '../../base/format.js'
import { messageOf } from '../../base/message-of.js'
import { oneLine } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { hasFailed } from '../../orchestrator/backends/backend.js'
import { loadProgram } from '../../orchestrator/backends/kinds.js'
import { createProgramBackend, type Program } from '../../orchestrator/backends/program.js'
import { missingNeeds, setVariables } from '../../orchestrator/backends/ready.js'
import { findLoopConfig, readLoopConfig } from '../../orchestrator/config/read-config.js'
import type { BackendChoice } from '../../orchestrator/hats.js'
import { Processes } from '../../process/processes.js'
import { runProcess } from '../../process/run-process.js'
import { bad, good, note, type Finding } from './finding.js'

const START_MS = 30_000
const TRY_MS = 180_000
const PROMPT = 'Reply with the word ready and nothing else. Do not use any tool.'

/** Throws a UserError for a name that is not a program's. */
export async function checkBackends(names: readonly string[], cwd: string, isTried: boolean): Promise<Finding[]> {
  const programs: Program[] = []
  for (const name of names) programs.push(await loadProgram(name))
  const processes = new Processes({ env: process.env, cwd })
  const folder = mkdtempSync(join(tmpdir(), 'viva-doctor-'))
  try {
    const findings: Finding[] = []
    for (const program of programs)
      findings.push(...(await checkBackend(program, choiceFor(program.name, cwd), { processes, folder, isTried })))
    return findings
  } finally {
    await processes.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As the project has it, if it names this one. */
function choiceFor(type: string, cwd: string): BackendChoice {
  const path = findLoopConfig(cwd)
  const { backend } = path === undefined ? {} : readLoopConfig(path, () => {})
  return backend?.type === type ? backend : { type }
}

interface Checked {
  processes: Processes
  /** An empty one to work in. */
  folder: string
  isTried: boolean
}

async function checkBackend(program: Program, choice: BackendChoice, checked: Checked): Promise<Finding[]> {
  const { processes, folder, isTried } = checked
  const { name } = program
  const started = await start(program, choice, checked)
  if (started.state === 'bad') return [started]
  const set = setVariables(program.variables, processes.env)
  const keys = program.variables?.keys ?? []
  const context = { cwd: folder, env: {}, pass_env: [], processes }
  const missing = await missingNeeds(program, choice, context)
  const key = set.some((variable) => keys.includes(variable))
  const asksLogin = program.needs?.some(({ what }) => what === 'login') === true
  return [
    started,
    ...(set.length > 0 ? [good(name, `gets ${set.join(', ')}`)] : []),
    ...missing.map(({ message, hint }) => bad(name, message, hint)),
    ...(missing.length === 0 && !key && asksLogin ? [good(name, 'reports no missing login')] : []),
    ...(key || asksLogin || isTried
      ? []
      : [note(name, 'cannot report whether it is logged in', '--try sends it a prompt')]),
    ...(isTried && missing.length === 0 ? [await ask(program, choice, { ...context, passed: set })] : []),
  ]
}

async function start(program: Program, choice: BackendChoice, { processes, folder }: Checked): Promise<Finding> {
  const { name } = program
  try {
    const command = processes.findExecutable(choice.command ?? program.command, processes.cwd)
    const { exit_code, stdout, stderr, aborted } = await runProcess(processes, {
      command,
      args: ['--version'],
      cwd: folder,
      signal: AbortSignal.timeout(START_MS),
    })
    if (exit_code === 0 && !aborted) return good(name, `${oneLine(stdout.trim(), 80)} (${command})`)
    const said = oneLine(stderr.trim() || stdout.trim(), 200)
    return bad(name, `${command} --version failed${said && `: ${said}`}`, 'reinstall it; see its documentation')
  } catch (error) {
    const hint = error instanceof UserError ? error.hint : undefined
    return bad(name, messageOf(error), hint ?? 'install it; see its documentation')
  }
}

/** One prompt that costs a few tokens. */
async function ask(
  program: Program,
  choice: BackendChoice,
  { cwd, processes, passed }: { cwd: string; processes: Processes; passed: string[] },
): Promise<Finding> {
  const { name } = program
  const context = { cwd, commandDir: processes.cwd, env: {}, pass_env: passed, processes }
  const answer = await createProgramBackend(program, choice, context).call({
    hat: 'doctor',
    prompt: PROMPT,
    signal: AbortSignal.timeout(TRY_MS),
    onStart: () => {},
    onOutput: () => {},
  })
  if (hasFailed(answer) || answer.output.trim() === '')
    return bad(name, answer.error ?? 'gave no answer', `start ${name} by hand in an empty folder to see more`)
  const { usage, cost_dollars } = answer
  const spent = [
    ...(usage ? [plural(usage.total_tokens, 'token')] : []),
    ...(cost_dollars === undefined ? [] : [formatCost(cost_dollars)]),
  ]
  return good(name, `answers a prompt${spent.length > 0 ? ` (${spent.join(', ')})` : ''}`)
}
