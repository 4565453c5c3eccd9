// `viva snapshot review`: what a run kept beside the snapshots, one by one: accept it, drop it, or leave it.
import { createInterface } from 'node:readline/promises'
import { relative, resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { print } from '../say.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { statOf } from '../../files/stat.js'
import { loadConfig } from '../../config/load-config.js'
import { visible } from '../../base/hidden.js'
import { plural } from '../../base/format.js'
import { paint, type Paint } from '../../pipeline/report/console/paint.js'
import { accept, contentsOf, findPending, reject, type PendingSnapshot } from '../../snapshots/pending.js'
import type { CommandCall } from '../command.js'
import { screenOf } from '../screen.js'
import { unknownAction } from '../unknown-action.js'

export async function snapshot({ args, flags, color }: CommandCall): Promise<number> {
  const [what = 'review', dir = '.'] = args
  if (what !== 'review') throw unknownAction('snapshot', what, 'viva snapshot review shows what is waiting for review')
  if (statOf(resolve(dir))?.isDirectory() !== true) throw noFolder(dir)
  const pending = findPending(resolve(dir), await snapshotDir(resolve(dir)))
  if (pending.length === 0) return print('no snapshots to review\n')
  if (flags['accept'] === true && flags['reject'] === true) throw both()
  if (flags['accept'] === true) return all(pending, accept, 'accepted')
  if (flags['reject'] === true) return all(pending, reject, 'dropped')
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw notATerminal(pending)
  return review(
    pending,
    paint(screenOf(process.stdout, process.env, { verbose: false, ...(color !== undefined && { color }) }).color),
  )
}

/** `snapshot_dir` of the project. */
async function snapshotDir(dir: string): Promise<string | undefined> {
  const root = findAppRoot(dir, dir)
  const { config } = await loadConfig(root)
  return config.snapshot_dir === undefined ? undefined : resolve(root, config.snapshot_dir)
}

async function review(pending: PendingSnapshot[], color: Paint): Promise<number> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const counts = { accepted: 0, dropped: 0, left: 0 }
  try {
    for (const [index, each] of pending.entries()) {
      print(
        `\n${color.bold(`${index + 1} of ${pending.length}  ${relative('.', each.file)}`)}\n${changes(each, color)}\n`,
      )
      const answer = await ask(lines, color)
      if (answer === 'quit') {
        counts.left += pending.length - index
        break
      }
      if (answer === 'accept') accept(each)
      if (answer === 'reject') reject(each)
      counts[answer === 'accept' ? 'accepted' : answer === 'reject' ? 'dropped' : 'left']++
    }
  } finally {
    lines.close()
  }
  return print(`\n${counts.accepted} accepted, ${counts.dropped} dropped, ${counts.left} left\n`)
}

type Answer = 'accept' | 'reject' | 'skip' | 'quit'

const ANSWERS: Record<string, Answer> = { a: 'accept', r: 'reject', s: 'skip', q: 'quit' }

/** The end of the input leaves the rest as it is. */
async function ask(lines: ReturnType<typeof createInterface>, color: Paint): Promise<Answer> {
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  const question = color.dim('[a]ccept  [r]eject  [s]kip  [q]uit > ')
  for (;;) {
    const text = await lines.question(question, closed).catch(() => 'quit')
    const answer = ANSWERS[text.trim().toLowerCase().slice(0, 1)]
    if (answer !== undefined) return answer
  }
}

/** A new one as a whole, a changed one as a diff. What an agent said cannot paint the terminal. */
function changes(pending: PendingSnapshot, color: Paint): string {
  const { before, after } = contentsOf(pending)
  if (before === undefined) return lined(after, (line) => color.green(`+ ${line}`))
  if (before === after) return `  the same answer, to a case that asks something else now:\n${lined(after, String)}`
  const patch = createTwoFilesPatch('accepted', 'now', `${before}\n`, `${after}\n`, '', '', { context: 3 })
  const body = patch.split('\n').slice(4).join('\n').trimEnd()
  return lined(body, (line) =>
    line.startsWith('-') ? color.red(line) : line.startsWith('+') ? color.green(line) : line,
  )
}

function lined(text: string, show: (line: string) => string): string {
  return visible(text)
    .split('\n')
    .map((line) => `  ${show(line)}`)
    .join('\n')
}

function all(pending: PendingSnapshot[], apply: (each: PendingSnapshot) => void, done: string): number {
  for (const each of pending) {
    apply(each)
    print(`${done}: ${relative('.', each.file)}\n`)
  }
  return 0
}

function noFolder(dir: string): UserError {
  return new UserError({
    code: 'NO_FOLDER',
    message: `no such folder: ${dir}`,
    hint: 'give the folder of the case file, or one above it',
  })
}

function both(): UserError {
  return new UserError({
    code: 'BAD_FLAG',
    message: '--accept and --reject cannot be used together',
    hint: 'give one of them',
  })
}

function notATerminal(pending: PendingSnapshot[]): UserError {
  return new UserError({
    code: 'NO_TERMINAL',
    message: `${plural(pending.length, 'snapshot')} to review, but no terminal to ask on: ${pending
      .slice(0, 5)
      .map(({ path }) => relative('.', path))
      .join(', ')}${pending.length > 5 ? ', …' : ''}`,
    hint: 'run it in a terminal, or use --accept or --reject for all of them',
  })
}
