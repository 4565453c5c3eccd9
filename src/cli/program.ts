// Builds the command line from the tables: help with examples, nearest suggestions for unknown words.
import { Command, CommanderError, Option } from 'commander'
import { UserError } from '../errors.js'
import { suggest } from '../base/suggest.js'
import { version } from '../version.js'
import type { CommandSpec } from './command.js'
import { COMMANDS } from './commands.js'
import type { Flag } from './flags.js'
import { normalizeArgv } from './normalize-argv.js'

export async function runProgram(argv: string[]): Promise<number> {
  let exitCode = 0
  const words = withoutStrayHelp(normalizeArgv(argv))
  const program = createProgram(commandsFor(words), async (spec, args, flags, color) => {
    requireWorkingDir()
    const run = await spec.load()
    exitCode = await run({ args, flags, color, commands: COMMANDS })
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0 || error.code === 'commander.help') return error.code === 'commander.help' ? 2 : 0
    throw usageError(error)
  }
}

/** Help for a command that does not exist would be the help of the program, with exit code 0. */
function withoutStrayHelp(words: string[]): string[] {
  const [first = '-'] = words
  const isKnown = first.startsWith('-') || first === 'help' || COMMANDS.some(({ name }) => name === first)
  return isKnown ? words : words.filter((word) => word !== '--help' && word !== '-h')
}

/** The named one, or all of them, for the help and for suggestions: each takes time to set up. */
function commandsFor([first]: string[]): CommandSpec[] {
  const named = COMMANDS.find(({ name }) => name === first)
  return named ? [named] : COMMANDS
}

/** A folder can be removed while a shell is in it. */
function requireWorkingDir(): void {
  try {
    process.cwd()
  } catch (cause) {
    throw new UserError({
      code: 'NO_WORKING_DIR',
      message: 'the working directory no longer exists',
      hint: 'change to a folder that does, e.g. cd ~',
      cause,
    })
  }
}

type Action = (
  spec: CommandSpec,
  args: string[],
  flags: Record<string, unknown>,
  color: boolean | undefined,
) => Promise<void>

function createProgram(commands: readonly CommandSpec[], action: Action): Command {
  const program = new Command('viva')
    .description('Tests AI agents: cases in, verdicts you can trust in CI out.')
    .version(version(), '-V, --version', 'print the version')
    .option('--no-color', 'no colours (also: NO_COLOR)')
    .addHelpCommand(new Command('help [command]').description('show help for a command').helpGroup('Other:'))
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      '\nStart here:\n  $ viva init my-agent && cd my-agent\n  $ viva test -i tests/cases.jsonl -n ./agent.ts#answer\n\nFlags and examples of a command: viva <command> --help\n',
    )
  for (const spec of commands) program.addCommand(createCommand(spec, action, program))
  return program
}

function createCommand(spec: CommandSpec, action: Action, program: Command): Command {
  const command = new Command(spec.name)
    .description(spec.summary)
    .helpGroup(`${spec.group ?? 'Commands'}:`)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
  for (const arg of spec.args ?? []) {
    const dots = arg.many ? '...' : ''
    command.argument(arg.required ? `<${arg.name}${dots}>` : `[${arg.name}${dots}]`, arg.description)
  }
  for (const flag of spec.flags) command.addOption(toOption(flag))
  command.option('--no-color', 'no colours (also: NO_COLOR)')
  command.helpOption('-h, --help', 'show help')
  for (const { title, rows } of spec.lists ?? []) command.addHelpText('after', `\n${title}:\n${listText(rows)}`)
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  $ ${example}`).join('\n')}\n`)
  command.allowExcessArguments(false)
  if (spec.openFlags) command.allowUnknownOption()
  command.action(async () => {
    const given = command.opts()
    const flags: Record<string, unknown> = {}
    for (const flag of spec.flags) {
      const value: unknown = given[camelCase(flag.long.slice(2))]
      if (value !== undefined) flags[flag.key] = await checkValue(flag, value, spec.name)
    }
    const color = given['color'] === false || program.opts()['color'] === false ? false : undefined
    await action(spec, command.args, flags, color)
  })
  return command
}

function listText(rows: Array<[string, string]>): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n')
}

/** By the row of the flag; a number arrives as one. */
async function checkValue(flag: Flag, value: unknown, command: string): Promise<unknown> {
  if (flag.kind !== 'integer' && flag.kind !== 'number') return checkChoice(flag, value)
  const { readValue } = await import('../config/read-options.js')
  const { flagValue } = await import('../config/flag-value.js')
  return flagValue(flag.long, `see viva ${command} --help`, () => readValue(flag, value))
}

function checkChoice(flag: Flag, value: unknown): unknown {
  // Without a value, one that is optional is just true.
  if (flag.choices === undefined || value === true || flag.choices.includes(String(value))) return value
  const near = suggest(String(value), flag.choices)
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: flag.long },
    message: `expected one of ${flag.choices.join(', ')}, found "${String(value)}"`,
    hint: near === undefined ? 'give one of them' : `did you mean ${near}?`,
  })
}

function toOption(flag: Flag): Option {
  const names = [flag.short, flag.long].filter((name) => name !== undefined).join(', ')
  const about = flag.default === undefined ? flag.description : `${flag.description} (default: ${flag.default})`
  const option = new Option(flag.value === undefined ? names : `${names} ${flag.value}`, about)
  option.helpGroup(`${flag.group}:`)
  // A flag of its own: it does not switch off another.
  option.negate = false
  if (flag.kind === 'list' || flag.several)
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  else if (flag.value !== undefined)
    option.argParser((value: string, before: unknown) => {
      if (before !== undefined) throw repeated(flag)
      return value
    })
  return option
}

/** The values are not repeated: a target may contain a secret. */
function repeated(flag: Flag): UserError {
  return new UserError({
    code: 'FLAG_REPEATED',
    message: `${flag.short ?? flag.long} is given twice, but takes one value`,
    hint: 'give it once; for several, run viva once for each',
  })
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function usageError(error: CommanderError): UserError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  return new UserError({
    code: 'BAD_USAGE',
    message,
    hint: suggestion?.replace(/[()]/g, '') ?? 'viva --help lists the commands, viva <command> --help their flags',
  })
}
