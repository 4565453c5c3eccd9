// `viva completion`: a static script generated from the same tables as the help.
import { UserError } from '../../errors.js'
import type { CommandCall, CommandSpec } from '../command.js'
import { stdout } from '../terminal.js'

export async function completion({ args, commands }: CommandCall): Promise<number> {
  const shell = args[0] ?? ''
  const write = SHELLS[shell]
  if (!write)
    throw new UserError({
      code: 'UNKNOWN_SHELL',
      message: `no completion for "${shell}"`,
      hint: `known shells: ${Object.keys(SHELLS).join(', ')}`,
    })
  stdout.write(write(commands))
  return 0
}

const SHELLS: Record<string, (commands: CommandSpec[]) => string> = { bash, zsh, fish }

function wordsOf(spec: CommandSpec): string[] {
  const flags = spec.flags.flatMap((flag) => (flag.short === undefined ? [flag.long] : [flag.short, flag.long]))
  return [...flags, ...(spec.args?.[0]?.choices ?? []), '--help']
}

function choicesOf(commands: CommandSpec[]): Array<{ long: string; choices: readonly string[] }> {
  const all = commands.flatMap((spec) => spec.flags).filter((flag) => flag.choices !== undefined)
  return [...new Map(all.map((flag) => [flag.long, { long: flag.long, choices: flag.choices ?? [] }])).values()]
}

function bash(commands: CommandSpec[]): string {
  const cases = commands.map((spec) => `    ${spec.name}) words="${wordsOf(spec).join(' ')}" ;;`).join('\n')
  const values = choicesOf(commands)
    .map(({ long, choices }) => `    ${long}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$word")); return ;;`)
    .join('\n')
  return `# bash completion for viva
_viva() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words=""
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      -*|agent) ;;
      *) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$before" in
${values}
  esac
  case "$command" in
    "") words="${commands.map((spec) => spec.name).join(' ')} --help --version" ;;
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _viva viva
`
}

function zsh(commands: CommandSpec[]): string {
  const names = commands.map((spec) => `    '${spec.name}:${quote(spec.summary)}'`).join('\n')
  const cases = commands
    .map((spec) => {
      const flags = spec.flags.map((flag) => {
        const value =
          flag.value === undefined
            ? ''
            : `:${quote(flag.value)}:${flag.choices ? `(${flag.choices.join(' ')})` : '_files'}`
        return `'*${flag.long}[${quote(flag.description)}]${value}'`
      })
      const args = spec.args?.[0]?.choices
        ? `'1:${spec.args[0].name}:(${spec.args[0].choices.join(' ')})'`
        : `'*:file:_files'`
      return `    ${spec.name}) _arguments ${[...flags, args].join(' ')} ;;`
    })
    .join('\n')
  return `#compdef viva
_viva() {
  local -a commands
  commands=(
${names}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases}
  esac
}
compdef _viva viva
`
}

function fish(commands: CommandSpec[]): string {
  const lines = [
    '# fish completion for viva',
    'complete -c viva -n __fish_use_subcommand -l version -d "print the version"',
  ]
  for (const spec of commands) {
    lines.push(`complete -c viva -n __fish_use_subcommand -f -a ${spec.name} -d '${quote(spec.summary)}'`)
    const when = `-n '__fish_seen_subcommand_from ${spec.name}'`
    for (const flag of spec.flags) {
      const short = flag.short === undefined ? '' : ` -s ${flag.short.slice(1)}`
      const value = flag.value === undefined ? '' : flag.choices ? ` -x -a '${flag.choices.join(' ')}'` : ' -r'
      lines.push(`complete -c viva ${when}${short} -l ${flag.long.slice(2)}${value} -d '${quote(flag.description)}'`)
    }
    if (spec.args?.[0]?.choices) lines.push(`complete -c viva ${when} -f -a '${spec.args[0].choices.join(' ')}'`)
  }
  return `${lines.join('\n')}\n`
}

function quote(text: string): string {
  return text.replaceAll(/['"[\]:]/g, ' ')
}
