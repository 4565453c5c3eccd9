// What people said about answers: a JSONL file with how they were drawn first, then one line per label.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import { UserError, type Problem } from '../../errors.js'
import { isRecord } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { answerKey, type JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'

export const LABEL_VERDICTS = ['pass', 'fail', 'cannot_tell'] as const
export type LabelVerdict = (typeof LABEL_VERDICTS)[number]

const text = v.pipe(v.string(), v.nonEmpty('is empty'))
const whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** How the answers were drawn: labels of a uniform sample speak for the whole run. */
const drawSchema = v.strictObject({
  type: v.literal('draw'),
  run_id: text,
  judge: v.strictObject({ id: text, model: v.optional(text), criterion: text, hash: text }),
  criterion: v.optional(v.unknown()),
  /** Order of the answers: the first `count` of a shuffle with this seed. */
  seed: whole,
  count: whole,
  of: whole,
  method: v.picklist(['uniform', 'by_verdict']),
})

const labelSchema = v.strictObject({
  type: v.optional(v.literal('label')),
  case: text,
  /** Of the run that it was drawn from. */
  run_id: v.optional(text),
  run: v.pipe(v.number(), v.integer(), v.minValue(1)),
  variant: v.optional(text),
  at: text,
  criterion: text,
  output: text,
  verdict: v.picklist(LABEL_VERDICTS),
  by: text,
  note: v.optional(v.string()),
})

export interface Draw extends v.InferOutput<typeof drawSchema> {}
export interface Label extends v.InferOutput<typeof labelSchema> {}

export interface LabelFile {
  draws: Draw[]
  labels: Label[]
}

export function readLabels(path: string): LabelFile {
  if (!existsSync(path)) throw noLabels(path)
  const file: LabelFile = { draws: [], labels: [] }
  const problems: Problem[] = []
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '' || /^\s*(#|\/\/)/.test(line)) continue
    const value = parseJson(line)?.value
    const isDraw = typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'draw'
    const parsed = v.safeParse(isDraw ? drawSchema : labelSchema, value)
    if (!parsed.success) problems.push(problemOf(path, index + 1, parsed.issues[0]))
    else if (parsed.output.type === 'draw') file.draws.push(parsed.output)
    else file.labels.push(parsed.output)
  }
  if (problems.length > 0) throw badLabels(path, problems)
  return file
}

/** Whether anything in it is a label: others call their own data so, too. */
export function hasLabels(path: string): boolean {
  return readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => {
      const value = parseJson(line)?.value
      return isRecord(value) && (value['type'] === 'draw' || LABEL_FIELDS.every((field) => field in value))
    })
}

const LABEL_FIELDS = ['case', 'verdict']

/** The labels of several people, who may have a file each. */
export function joinLabels(files: readonly LabelFile[]): LabelFile {
  return { draws: files.flatMap(({ draws }) => draws), labels: files.flatMap(({ labels }) => labels) }
}

/** Those drawn from this run: the labels of another one are no random sample of it, even where the answers are the same. */
export function labelsDrawnFrom({ draws, labels }: LabelFile, run_id: string): LabelFile {
  return {
    draws: draws.filter((draw) => draw.run_id === run_id),
    labels: labels.filter((label) => label.run_id === undefined || label.run_id === run_id),
  }
}

export function appendLabel(path: string, line: Draw | Label): void {
  try {
    appendFileSync(path, `${JSON.stringify(line)}\n`)
  } catch (error) {
    throw cannotWrite(path, error, 'choose another file with -o')
  }
}

/** What a label is about: another answer to the same case, in another run, is another answer. */
export function labelKey({ output, ...rest }: Pick<Label, 'case' | 'run' | 'variant' | 'at' | 'output'>): string {
  return `${answerKey(rest)}\n${output}`
}

export function answerLabelKey(answer: JudgedAnswer): string {
  return labelKey({ ...answer, output: answer.output_hash })
}

/** Of several labels by one person on one answer the last counts: people change their minds. */
function latestLabels(labels: readonly Label[]): Label[] {
  return [...new Map(labels.map((label) => [`${labelKey(label)}\n${label.by}`, label])).values()]
}

export interface Opinion {
  label: Label
  /** How many said pass, fail, cannot tell. */
  votes: Record<LabelVerdict, number>
  verdict: LabelVerdict
}

/** One opinion per answer: the majority of its people; a tie is *cannot tell*. */
export function opinionsOf(labels: readonly Label[]): Map<string, Opinion> {
  const opinions = new Map<string, Opinion>()
  for (const label of latestLabels(labels)) {
    const key = labelKey(label)
    const opinion = opinions.get(key) ?? { label, votes: { pass: 0, fail: 0, cannot_tell: 0 }, verdict: label.verdict }
    opinion.votes[label.verdict]++
    opinions.set(key, opinion)
  }
  for (const opinion of opinions.values()) opinion.verdict = majorityOf(opinion.votes)
  return opinions
}

function majorityOf({ pass, fail, cannot_tell }: Opinion['votes']): LabelVerdict {
  if (pass > fail + cannot_tell) return 'pass'
  return fail > pass + cannot_tell ? 'fail' : 'cannot_tell'
}

/** Of the pairs of people who labelled the same answer, the share that said the same; undefined without such a pair. */
export function peopleAgreement(labels: readonly Label[]): { same: number; pairs: number } | undefined {
  let [same, pairs] = [0, 0]
  for (const { votes } of opinionsOf(labels).values()) {
    const counts = Object.values(votes)
    const total = counts.reduce((sum, each) => sum + each, 0)
    pairs += (total * (total - 1)) / 2
    same += counts.reduce((sum, each) => sum + (each * (each - 1)) / 2, 0)
  }
  return pairs === 0 ? undefined : { same, pairs }
}

function problemOf(file: string, line: number, issue: v.BaseIssue<unknown> | undefined): Problem {
  const field = issue ? v.getDotPath(issue) : null
  return { file, line, ...(field && { field }), message: issue?.message ?? 'not JSON' }
}

function badLabels(path: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'BAD_LABELS',
    message: `${path} is not a file of labels`,
    problems,
    hint: 'viva label writes such files: a line per label with case, run, at, criterion, output, verdict and by',
  })
}

function noLabels(path: string): UserError {
  return new UserError({
    code: 'NO_LABELS',
    message: `there is no file ${path}`,
    hint: 'label some answers first: viva label EVENTS',
  })
}
