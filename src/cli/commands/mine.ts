// `viva mine`: assertions that held in all good runs, proposed; what is accepted goes into the case file, one by one.
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { plural } from '../../base/format.js'
import { visible } from '../../base/hidden.js'
import { preview } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { requireNotRead } from '../../files/same-file.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { withAccepted } from '../../suite/accept.js'
import { mineSuite } from '../../suite/mine/mine.js'
import { pendingText, readPending, type PendingAssertion } from '../../suite/pending.js'
import { openSuite } from '../../suite/read-suite.js'
import type { CommandCall } from '../command.js'
import { note, print } from '../say.js'
import { stdout } from '../terminal.js'
import { eventFiles } from '../suite-report.js'

const FEW = 3

export async function mine({ args, flags }: CommandCall): Promise<number> {
  const waiting = flags['review'] as string | undefined
  if (waiting !== undefined) return review(waiting, flags['accept'] === true)
  if (args.length === 0) throw noEvents()
  const events = await eventFiles(args)
  const output = flags['output'] as string | undefined
  if (output !== undefined) requireNotRead([output], events)
  const { pending, few, skipped } = await proposals(events, flags)
  if (output === undefined) stdout.write(pendingText(pending))
  else await writeText(output, pendingText(pending))
  const cases = new Set(pending.map(({ id }) => id)).size
  note(`${plural(pending.length, 'assertion')} proposed for ${plural(cases, 'case')}`)
  if (few > 0)
    note(`${plural(few, 'case')} with fewer than ${FEW} good runs: more runs make the proposals safer (--runs ${FEW})`)
  if (skipped > 0) note(`${plural(skipped, 'case')} without a good run left out`)
  if (output !== undefined && pending.length > 0) note(`Review them: viva mine --review ${output}`)
  return 0
}

async function proposals(
  events: string[],
  flags: CommandCall['flags'],
): Promise<{ pending: PendingAssertion[]; few: number; skipped: number }> {
  const suite = await openSuite({
    events,
    input: flags['input'] as string[] | undefined,
    variant: flags['variant'] as string | undefined,
    cwd: process.cwd(),
  })
  const found = { pending: [] as PendingAssertion[], few: 0, skipped: 0 }
  try {
    for await (const { id, file = suite.source.label, support, assertions, not_examined } of mineSuite(suite)) {
      if (not_examined !== undefined) found.skipped++
      else if (support < FEW) found.few++
      for (const each of assertions) found.pending.push({ id, file, ...each, support })
    }
    return found
  } finally {
    await suite.close()
  }
}

/** What is decided leaves the file of what waits at once: nothing is lost if the review is left half-way. */
async function review(path: string, all: boolean): Promise<number> {
  const pending = await readPending(path)
  if (pending.length === 0) return print('no assertions to review\n')
  if (!all && (!process.stdin.isTTY || !process.stdout.isTTY)) throw notATerminal(path)
  const lines = all ? undefined : createInterface({ input: process.stdin, output: process.stdout })
  const counts = { accepted: 0, dropped: 0, left: 0 }
  const left: PendingAssertion[] = []
  try {
    for (const [index, each] of pending.entries()) {
      const answer = lines ? await ask(lines, each, index, pending.length) : 'accept'
      if (answer === 'quit') {
        left.push(...pending.slice(index))
        break
      }
      if (answer === 'accept') await accept(each)
      if (answer === 'skip') left.push(each)
      else counts[answer === 'accept' ? 'accepted' : 'dropped']++
      await writeText(path, pendingText([...left, ...pending.slice(index + 1)]))
    }
  } finally {
    lines?.close()
  }
  counts.left = left.length
  return print(`${counts.accepted} accepted, ${counts.dropped} dropped, ${counts.left} left\n`)
}

async function accept(pending: PendingAssertion): Promise<void> {
  const text = await readFile(pending.file, 'utf8').catch((error: unknown) => {
    throw new UserError({
      code: 'CANNOT_READ',
      message: `cannot read ${pending.file}`,
      cause: error,
      hint: 'review from the folder in which the run was started',
    })
  })
  await writeText(pending.file, await withAccepted(text, pending))
}

type Answer = 'accept' | 'reject' | 'skip' | 'quit'

const ANSWERS: Record<string, Answer> = { a: 'accept', r: 'reject', s: 'skip', q: 'quit' }

async function ask(
  lines: ReturnType<typeof createInterface>,
  { id, file, place, assertion, kills, support }: PendingAssertion,
  index: number,
  total: number,
): Promise<Answer> {
  print(`\n${index + 1} of ${total}  ${visible(preview(id, 60))}  ${visible(preview(file, 80))}  ${place}\n`)
  print(`  ${visible(preview(JSON.stringify(assertion), 1000))}\n`)
  print(
    `  held in ${plural(support, 'good run')}${support < FEW ? ', which are few' : ''}; stops ${plural(kills.length, 'change')}\n`,
  )
  for (const what of kills.slice(0, 5)) print(`    ${visible(preview(what, 120))}\n`)
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  for (;;) {
    const text = await lines.question('[a]ccept  [r]eject  [s]kip  [q]uit > ', closed).catch(() => 'quit')
    const answer = ANSWERS[text.trim().toLowerCase().slice(0, 1)]
    if (answer !== undefined) return answer
  }
}

function noEvents(): UserError {
  return new UserError({
    code: 'NO_EVENTS',
    message: 'no runs given',
    hint: 'viva mine run.jsonl, or viva mine --review pending.jsonl',
  })
}

function notATerminal(path: string): UserError {
  return new UserError({
    code: 'NOT_A_TERMINAL',
    message: `${path} is reviewed at a terminal, one assertion after another`,
    hint: 'to accept all without review: --accept',
  })
}
