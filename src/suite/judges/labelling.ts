// One person labelling: which answer is next, and what is written when they have decided. Blind: what the judge said comes after.
import { existsSync } from 'node:fs'
import { defined } from '../../base/defined.js'
import type { Decided, ShownAnswer } from '../../model/label-screen.js'
import type { JudgeEntry } from '../../model/judge.js'
import type { LabelCounts } from '../../pipeline/fold/statistics/judged-rate.js'
import { answerKey, type JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'
import {
  answerLabelKey,
  appendLabel,
  labelKey,
  labelsDrawnFrom,
  readLabels,
  type Label,
  type LabelFile,
  type LabelVerdict,
} from './labels.js'
import { nextByVerdict } from './rates.js'
import { PILOT, sampleSize, shuffled } from './sample.js'

export interface LabellingInit {
  /** Those of one judge and criterion. */
  answers: readonly JudgedAnswer[]
  run_id: string
  /** The file that is written; what it holds already counts. */
  path: string
  by: string
  /** Half of the width of the interval that is asked for. */
  width: number
  /** Instead of a sample for that width: this many more where they tell most. */
  next?: number | undefined
  seed: number
}

export interface Labelling {
  done: number
  total: number
  /** Undefined: all are labelled. */
  next(): ShownAnswer | undefined
  decide(key: string, verdict: LabelVerdict, note?: string): Decided | undefined
}

export function openLabelling(init: LabellingInit): Labelling {
  const { answers, run_id, path, by, seed } = init
  const file: LabelFile = existsSync(path) ? labelsDrawnFrom(readLabels(path), run_id) : { draws: [], labels: [] }
  const [first] = answers
  if (!first) return { done: 0, total: 0, next: () => undefined, decide: () => undefined }
  const order = shuffled(answers, seed)
  const own = new Set(file.labels.filter((label) => label.by === by).map(labelKey))
  const choose = (): JudgedAnswer[] =>
    init.next === undefined ? uniformPart(init, order, file) : nextPart(init.next, order, file, own)
  let chosen = choose()
  const drawn = { run_id, seed, of: answers.length, judge: nameOf(first.judge), criterion: first.criterion }
  const method = init.next === undefined ? ('uniform' as const) : ('by_verdict' as const)
  let isDrawn = file.draws.some(
    (draw) => draw.run_id === run_id && draw.judge.hash === first.judge.hash && draw.method === method,
  )
  const isOpen = (answer: JudgedAnswer): boolean => !own.has(answerLabelKey(answer))
  return {
    get done() {
      return chosen.filter((answer) => !isOpen(answer)).length
    },
    get total() {
      return chosen.length
    },
    next: () => {
      const answer = chosen.find(isOpen)
      return answer && shownOf(answer)
    },
    decide: (key, verdict, note) => {
      const answer = chosen.find((each) => answerKey(each) === key)
      if (!answer) return undefined
      if (!isDrawn) appendLabel(path, { type: 'draw', ...drawn, count: chosen.length, method })
      isDrawn = true
      const label = { run_id, ...labelOf(answer, verdict, by, note) }
      appendLabel(path, label)
      file.labels.push(label)
      own.add(labelKey(label))
      // The first answers say how many more are needed.
      if (init.next === undefined) chosen = choose()
      return { judge: { passed: answer.passed, ...defined({ reason: answer.reason }) } }
    },
  }
}

/** After a pilot the size is known better. Only the pilot decides it: what is seen later does not decide when to stop. */
function uniformPart({ width }: LabellingInit, order: JudgedAnswer[], { labels }: LabelFile): JudgedAnswer[] {
  return order.slice(0, sampleSize(width, order.length, pilotOf(order, labels)))
}

/** Undefined unless the first answers all have a label. */
function pilotOf(order: JudgedAnswer[], labels: readonly Label[]): LabelCounts | undefined {
  const counts = { both_pass: 0, judge_pass_only: 0, people_pass_only: 0, both_fail: 0 }
  const verdicts = new Map(labels.map((label) => [labelKey(label), label.verdict]))
  const first = order.slice(0, PILOT)
  if (first.length < PILOT || first.some((answer) => !verdicts.has(answerLabelKey(answer)))) return undefined
  for (const answer of first) countLabel(counts, answer.passed, verdicts.get(answerLabelKey(answer)))
  return counts
}

function nextPart(count: number, order: JudgedAnswer[], { labels }: LabelFile, own: Set<string>): JudgedAnswer[] {
  const verdicts = new Map(labels.map((label) => [labelKey(label), label.verdict]))
  const counts = { both_pass: 0, judge_pass_only: 0, people_pass_only: 0, both_fail: 0 }
  for (const answer of order) countLabel(counts, answer.passed, verdicts.get(answerLabelKey(answer)))
  const open = order.filter((answer) => !verdicts.has(answerLabelKey(answer)) || own.has(answerLabelKey(answer)))
  const left = open.filter((answer) => !own.has(answerLabelKey(answer)))
  const judged = { passed: order.filter(({ passed }) => passed).length, count: order.length }
  const [first] = order
  if (!first) return []
  const wanted = nextByVerdict(
    { judge: first.judge, criterion: first.criterion, judged, labels: counts, cannot_tell: 0 },
    count,
  )
  const passed = left.filter((answer) => answer.passed).slice(0, wanted.passed)
  const failed = left.filter((answer) => !answer.passed).slice(0, wanted.failed)
  const chosen = new Set([...passed, ...failed])
  // In the order of the shuffle: which group an answer is from would give the judge's opinion away.
  return left.filter((answer) => chosen.has(answer))
}

function countLabel(counts: LabelCounts, judge: boolean, verdict: LabelVerdict | undefined): void {
  if (verdict === 'pass') counts[judge ? 'both_pass' : 'people_pass_only']++
  if (verdict === 'fail') counts[judge ? 'judge_pass_only' : 'both_fail']++
}

function shownOf(answer: JudgedAnswer): ShownAnswer {
  const { criterion, rubric, judge, input, output } = answer
  return {
    key: answerKey(answer),
    criterion,
    ...defined({ rubric, threshold: rubric === undefined ? undefined : judge.threshold }),
    input,
    output,
  }
}

function labelOf(answer: JudgedAnswer, verdict: LabelVerdict, by: string, note: string | undefined): Label {
  const { case: id, run, variant, at, judge, output_hash } = answer
  return {
    case: id,
    run,
    ...defined({ variant }),
    at,
    criterion: judge.criterion,
    output: output_hash,
    verdict,
    by,
    ...(note && { note }),
  }
}

function nameOf({ id, model, criterion, hash }: JudgeEntry) {
  return { id, ...defined({ model }), criterion, hash }
}
