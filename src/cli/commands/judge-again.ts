// `viva judge check --repeats --probes`: asks the judges again, with the assertions of the cases.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../errors.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import type { WrittenCase } from '../../model/case-schema.js'
import { readEvents } from '../../pipeline/record/read-events.js'
import { runTests } from '../../library/run-tests.js'
import type { RunEvent } from '../../model/event.js'
import { completeIo } from '../../run/io.js'
import { prepare } from '../../run/prepare.js'
import { readSettings } from '../../run/settings.js'
import { askAgain } from '../../suite/judges/ask-again.js'
import type { JudgeCheck } from '../../suite/judges/check.js'
import { answerKey, judgedAnswers, type JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'
import type { LabelFile } from '../../suite/judges/labels.js'
import type { CommandCall } from '../command.js'
import { plainIo } from '../plain-io.js'
import { note } from '../say.js'
import { listenForSignals, type Signals } from '../signals.js'

/** More would cost much and say little. */
const MOST = 50

interface Asked {
  events: string
  file: LabelFile
  flags: CommandCall['flags']
}

export async function askJudgesAgain(checks: JudgeCheck[], { events, file, flags }: Asked): Promise<void> {
  const repeats = flags['repeats'] === undefined ? 0 : Number(flags['repeats'])
  const given = Object.fromEntries(
    ['input', 'judge', 'connector', 'app'].flatMap((key) => (flags[key] === undefined ? [] : [[key, flags[key]]])),
  )
  if (given['input'] === undefined) throw noCases()
  const signals = listenForSignals()
  try {
    const cases = await readCases(given, signals)
    for (const check of checks) {
      const answers = await labelledAnswers(events, check, file)
      const again = await askAgain(answers, { repeats, probes: flags['probes'] === true }, (questions) =>
        askAll(questions, cases, check, given, signals),
      )
      const { lost, ...found } = again
      Object.assign(check, found)
      if (lost > 0) note(`${check.judge.id} gave no verdict ${lost} times when asked again`)
    }
  } finally {
    signals.release()
  }
}

async function labelledAnswers(events: string, { judge }: JudgeCheck, { labels }: LabelFile): Promise<JudgedAnswer[]> {
  const wanted = new Set(labels.map(answerKey))
  const found: JudgedAnswer[] = []
  for await (const answer of judgedAnswers(readEvents(events))) {
    if (answer.judge.hash === judge.hash && wanted.has(answerKey(answer))) found.push(answer)
    if (found.length === MOST) break
  }
  return found
}

async function readCases(given: Record<string, unknown>, signals: Signals): Promise<Map<string, TestCase>> {
  const settings = await readSettings({ ...given, name: ['builtin:echo'], history: false }, process.cwd())
  const prepared = await prepare(settings, completeIo(plainIo(signals), settings.options), signals.stop)
  const cases: TestCase[] = []
  try {
    for await (const batch of prepared.work.planned())
      for (const { unit } of batch) if (unit.kind === 'case') cases.push(unit.testCase)
    return new Map(cases.map((each) => [each.id, each]))
  } finally {
    await prepared.close()
  }
}

/** `turns[1].assertions[0].parts[2]`, as results have it. */
function specAt(testCase: TestCase | undefined, at: string): AssertionSpec | undefined {
  let value: unknown = testCase
  for (const part of at
    .replaceAll('.parts', '.assertions')
    .split(/[.[\]]+/)
    .filter(Boolean))
    value = (value as Record<string, unknown> | undefined)?.[part]
  return value as AssertionSpec | undefined
}

/** All of them in one run: each question is a case whose agent gives the answer that is judged. */
async function askAll(
  questions: JudgedAnswer[],
  cases: Map<string, TestCase>,
  check: JudgeCheck,
  given: Record<string, unknown>,
  signals: Signals,
): Promise<Array<boolean | undefined>> {
  const specs = questions.map((answer) => {
    const spec = specAt(cases.get(answer.case), answer.at)
    if (!spec) throw otherCase(answer)
    return spec
  })
  const asked = questions.map(({ input }, index) => ({
    id: String(index),
    input,
    options: { metadata: { question: index } },
    assert: [specs[index]],
  }))
  const { input: _cases, ...options } = given
  const verdicts: Array<boolean | undefined> = questions.map(() => undefined)
  const collect = (event: RunEvent): void => {
    if (event.type !== 'result') return
    const [said] = event.assertions ?? []
    if (said?.judge && said.judge.hash !== check.judge.hash) throw otherJudge(check)
    if (!said || said.error !== undefined) return
    verdicts[Number(event.id)] = specs[Number(event.id)]?.negate === true ? !said.passed : said.passed
  }
  const folder = mkdtempSync(join(tmpdir(), 'viva-judge-'))
  try {
    await runTests(
      {
        ...options,
        cases: asked as WrittenCase[],
        agent: (_messages, _context, { metadata }) => questions[Number(metadata?.['question'])]?.output,
        output: [join(folder, 'events.jsonl')],
        history: false,
      },
      { ...plainIo(signals), note: () => {}, sinks: [{ name: 'judge', write: collect }] },
      signals.stop,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return verdicts
}

function noCases(): UserError {
  return new UserError({
    code: 'NO_INPUT',
    message: 'asking a judge again needs the cases it judged',
    hint: 'for example: viva judge check labels.jsonl -i tests/inputs.jsonl --repeats 3 --probes',
  })
}

function otherCase({ case: id, at }: JudgedAnswer): UserError {
  return new UserError({
    code: 'CASE_CHANGED',
    message: `the case ${id} has no check at ${at} any more`,
    hint: 'give the cases as they were when the run was made',
  })
}

function otherJudge({ judge }: JudgeCheck): UserError {
  return new UserError({
    code: 'JUDGE_CHANGED',
    message: `${judge.id} is not the judge that was labelled: its model, prompt or criterion has changed`,
    hint: 'run the cases again and label that run, or give the same --judge and the same cases',
  })
}
