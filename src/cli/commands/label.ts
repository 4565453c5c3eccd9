// `viva label`: people say of a random sample of judged answers whether they pass, without seeing what the judge said.
import { createInterface } from 'node:readline/promises'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { plural } from '../../base/format.js'
import { escapeControls, visible } from '../../base/hidden.js'
import { isRecord } from '../../base/record.js'
import { asText, preview } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { ShownAnswer } from '../../model/label-screen.js'
import { findEventFile } from '../../pipeline/record/find-events.js'
import { readEvents } from '../../pipeline/record/read-events.js'
import { readEdges } from '../../pipeline/record/read-parts.js'
import { judgedAnswers, type JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'
import { openLabelling, type Labelling } from '../../suite/judges/labelling.js'
import type { LabelVerdict } from '../../suite/judges/labels.js'
import type { CommandCall } from '../command.js'
import { note } from '../say.js'
import { untilSignal } from '../signals.js'
import { stderr, stdout } from '../terminal.js'

const DEFAULT_WIDTH = 0.1

export async function label({ args, flags }: CommandCall): Promise<number> {
  const events = await findEventFile(args[0] ?? 'latest', process.cwd())
  const edges = await readEdges(events)
  if (!edges) throw noRun(events)
  const answers = await answersOf(events, flags['judge'])
  const path = outputOf(flags['output'], events, edges.start.input)
  const by = typeof flags['by'] === 'string' ? flags['by'] : userInfo().username
  const labelling = openLabelling({
    answers,
    run_id: edges.start.run_id,
    path,
    by,
    width: flags['width'] === undefined ? DEFAULT_WIDTH : Number(flags['width']),
    next: flags['next'] === undefined ? undefined : Number(flags['next']),
    // The same for everyone: two people label the same answers.
    seed: 1,
  })
  if (flags['terminal'] === true) await labelHere(labelling)
  else await labelInBrowser(labelling, by, flags)
  note(`${labelling.done} of ${plural(labelling.total, 'answer')} labelled by ${by} in ${path}`)
  if (labelling.done > 0) note(`Next: viva judge check ${path} --events ${events}`)
  return 0
}

/** Those of one judge and one criterion. */
async function answersOf(events: string, judge: unknown): Promise<JudgedAnswer[]> {
  const found = new Map<string, JudgedAnswer[]>()
  for await (const answer of judgedAnswers(readEvents(events))) {
    if (typeof judge === 'string' && !isMeant(answer, judge)) continue
    const group = found.get(answer.judge.hash)
    if (group) group.push(answer)
    else found.set(answer.judge.hash, [answer])
  }
  const [only, ...others] = found.values()
  if (!only) throw noJudge(events, judge)
  if (others.length > 0) throw severalJudges([only, ...others])
  return only
}

function isMeant({ judge, criterion }: JudgedAnswer, name: string): boolean {
  return [judge.id, judge.hash, judge.criterion, judge.model, asText(criterion)].includes(name)
}

/** Beside the cases, where they can be reviewed. */
function outputOf(given: unknown, events: string, input: unknown): string {
  const [first] = Array.isArray(given) ? (given as unknown[]) : []
  if (typeof first === 'string') return first
  const isFile = typeof input === 'string' && /\.(jsonl?|ya?ml|csv|ts)$/.test(input)
  return join(isFile ? dirname(resolve(input)) : dirname(events), 'labels.jsonl')
}

async function labelInBrowser(labelling: Labelling, by: string, flags: CommandCall['flags']): Promise<void> {
  const { serveLabels } = await import('../../viewer/label/serve-labels.js')
  const server = await serveLabels(
    {
      progress: () => {
        const shown = labelling.next()
        return { by, done: labelling.done, total: labelling.total, ...(shown && { shown }) }
      },
      decide: ({ key, verdict, note: text }) => labelling.decide(key, verdict, text),
    },
    { ...(flags['port'] !== undefined && { port: Number(flags['port']) }), open: flags['open'] === true },
  )
  stdout.write(`${server.url}\n`)
  stderr.write('Press Ctrl-C when you are done.\n')
  await untilSignal()
  await server.close()
}

const KEYS: Record<string, LabelVerdict> = { p: 'pass', f: 'fail', c: 'cannot_tell' }

async function labelHere(labelling: Labelling): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  const typed = lines[Symbol.asyncIterator]()
  try {
    for (let shown = labelling.next(); shown; shown = labelling.next()) {
      stderr.write(formOf(shown, labelling))
      const { value, done } = await typed.next()
      if (done === true || value.trim() === 'q') return
      const [key = '', ...rest] = value.trim().split(/\s+/)
      const verdict = KEYS[key]
      if (!verdict) {
        stderr.write('p, f or c, with a note after it if you like; q to stop\n')
        continue
      }
      const decided = labelling.decide(shown.key, verdict, rest.join(' '))
      const reason = decided?.judge.reason
      stderr.write(
        `The judge said ${decided?.judge.passed ? 'pass' : 'fail'}${reason === undefined ? '' : `: ${visible(escapeControls(reason))}`}\n\n`,
      )
    }
  } finally {
    lines.close()
  }
}

function formOf({ criterion, rubric, threshold, input, output }: ShownAnswer, { done, total }: Labelling): string {
  const text = (value: unknown): string => escapeControls(asText(value))
  const levels = isRecord(rubric) ? Object.entries(rubric).map(([level, what]) => `  ${level}: ${text(what)}`) : []
  return [
    `── ${done + 1} of ${total} ──`,
    `Criterion: ${text(criterion)}`,
    ...levels,
    ...(threshold === undefined ? [] : [`  passes from level ${threshold} on`]),
    `Asked: ${text(input)}`,
    `Answer: ${text(output)}`,
    'pass, fail or cannot tell? [p/f/c, then a note; q to stop] ',
  ].join('\n')
}

function noRun(events: string): UserError {
  return new UserError({
    code: 'NO_EVENT_FILE',
    message: `${events} is not the event file of a run`,
    hint: 'give the .jsonl file that viva test wrote',
  })
}

function noJudge(events: string, judge: unknown): UserError {
  return new UserError({
    code: 'NO_JUDGE',
    message:
      typeof judge === 'string'
        ? `no judge called "${judge}" gave a verdict in ${events}`
        : `no judge gave a verdict in ${events}`,
    hint: 'only agent and rubric assertions have verdicts to label',
  })
}

function severalJudges(groups: JudgedAnswer[][]): UserError {
  const names = groups.map(
    ([first]) => `${first?.judge.hash} (${first?.judge.id}: ${preview(asText(first?.criterion), 60)})`,
  )
  return new UserError({
    code: 'SEVERAL_JUDGES',
    message: `${groups.length} judges or criteria gave verdicts in this run`,
    hint: `name one with --judge: ${names.join('; ')}`,
  })
}
