// `viva init`: scaffolds a project that passes immediately, or cases for the agent that is there; or only the types for editors.
import { relative, resolve } from 'node:path'
import { plural } from '../../base/format.js'
import { shellWord } from '../../base/shell-word.js'
import { UserError } from '../../errors.js'
import { isFile } from '../../files/stat.js'
import { readTemplates } from '../../files/shipped.js'
import type { CommandCall } from '../command.js'
import { choices, type Choice, type Found } from '../init/choice.js'
import { detect } from '../init/detect.js'
import { isServer } from '../init/is-server.js'
import { invocationFrom } from '../init/invocation.js'
import { ignoredFolder, planFiles, writePlanned, type PlannedFile } from '../init/plan.js'
import { workflow } from '../init/workflow.js'
import { screenOf } from '../screen.js'
import { stdout } from '../terminal.js'

const WORKFLOW = '.github/workflows/viva.yml'

export async function init({ args, flags }: CommandCall): Promise<number> {
  const { kind } = flags
  const server = kind === 'mcp' && args[0] !== undefined && isServer(args[0]) ? args[0] : undefined
  const given = server === undefined ? args[0] : undefined
  const dir = resolve(given ?? '.')
  if (given !== undefined && isFile(dir)) throw notAFolder(given)
  const force = flags['force'] === true
  if (flags['types'] === true) {
    write(dir, planFiles(dir, { files: readTemplates('viva.d.ts') }, force))
    return 0
  }
  const found = kind === undefined ? await detect(dir) : []
  if (found.length > 0) stdout.write(`Found:\n${found.map(foundLine).join('')}\n`)
  const all = choices(found)
  const isAsked = kind === undefined && isInteractive()
  const choice = isAsked ? await ask(all) : server === undefined ? chosen(all, kind) : await serverOf(server)
  if (!choice) return left()
  const viva = invocationFrom(dir, process.argv[1] ?? '', process.env['PATH'])
  const enter = given === undefined || dir === process.cwd() ? [] : [`cd ${shellWord(given)}`]
  if (choice.command !== undefined) {
    printCommands('Run:', [...enter, `${viva} ${choice.command}`])
    return 0
  }
  const scaffold = { ...choice, files: { ...choice.files, [WORKFLOW]: workflow(choice) } }
  const files = [...planFiles(dir, scaffold, force), ...ignoredFolder(dir)]
  const isPreview = flags['dry_run'] === true
  if (isAsked) stdout.write('\n')
  if (isPreview || isAsked) preview(dir, files)
  const commands = [...enter, ...choice.setup, ...choice.tests.map((test) => `${viva} test ${test}`)]
  if (isPreview) {
    printCommands('Then test it with:', commands)
    return 0
  }
  if (isAsked && !(await agrees())) return left()
  write(dir, files, isAsked)
  printCommands('Try it:', commands)
  const kept = files.filter(({ how }) => how === 'kept').map(({ path }) => path)
  const next = choice.next?.filter(({ about }) => about === undefined || !kept.includes(about))
  if (next) stdout.write(`\n${next.map(({ text }) => text.replaceAll('viva test', `${viva} test`)).join('\n')}\n`)
  else if (choice.isOwn)
    stdout.write(`\nThen replace the sample case in ${Object.keys(choice.files).at(-1)} with your own.\n`)
  return 0
}

function notAFolder(given: string): UserError {
  return new UserError({
    code: 'CANNOT_WRITE',
    message: `cannot write to ${given}: it is a file, not a folder`,
    hint: `name a folder; for an MCP server, quote the whole command that starts it: viva init --kind mcp "node server.mjs"`,
  })
}

async function serverOf(given: string): Promise<Choice> {
  const { serverChoice } = await import('../init/mcp-server.js')
  return serverChoice(given)
}

function isInteractive(): boolean {
  return process.stdin.isTTY && screenOf(process.stdout, process.env, { verbose: false }).live
}

async function ask(all: Choice[]): Promise<Choice | undefined> {
  const { choose } = await import('../init/menu.js')
  const index = await choose('What do you want to test?', all, process.stdout)
  return index === undefined ? undefined : all[index]
}

/** Without a person: the kind that was named, else the first that writes something. */
function chosen(all: Choice[], kind: unknown): Choice | undefined {
  return kind === undefined ? all.find(({ command }) => command === undefined) : all.find(({ name }) => name === kind)
}

async function agrees(): Promise<boolean> {
  const { confirm } = await import('../init/menu.js')
  return (await confirm('\nWrite these files?', process.stdout)) === true
}

function left(): number {
  stdout.write('Nothing was written.\n')
  return 130
}

function foundLine({ seen, note }: Found): string {
  return `  ${seen}${note === undefined ? '' : ` – ${note}`}\n`
}

/** `isKnown`: the person has just seen the list. */
function write(dir: string, files: PlannedFile[], isKnown = false): void {
  for (const file of files) {
    writePlanned(dir, file)
    if (!isKnown && !file.hidden) stdout.write(`  ${file.path}${file.how === 'kept' ? ' (exists, kept)' : ''}\n`)
  }
}

const NOTES = { replaced: 'exists: replaced', kept: 'exists: kept', extended: 'exists: gets a line' }

function preview(dir: string, files: PlannedFile[]): void {
  const shown = files.filter(({ hidden }) => !hidden)
  const width = Math.max(...shown.map(({ path }) => path.length))
  stdout.write(`${relative(process.cwd(), dir) || 'This folder'} gets:\n`)
  for (const { path, text, how } of shown) {
    const note = how === 'new' ? plural(text.split('\n').length - 1, 'line') : NOTES[how]
    stdout.write(`  ${path.padEnd(width)}  ${note}\n`)
  }
}

function printCommands(title: string, commands: string[]): void {
  stdout.write(`\n${title}\n${commands.map((command) => `  ${command}\n`).join('')}`)
}
