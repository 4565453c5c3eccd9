// Asks a judge again about answers it has judged: unchanged, to see whether it stays with its verdict, and changed by a probe.
import { wilson } from '../../pipeline/fold/statistics/intervals.js'
import type { Measured } from '../../pipeline/fold/statistics/agreement.js'
import type { JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'
import { PROBES } from './probes.js'

/** The verdicts, in order. Undefined: the judge gave none. */
export type AskJudgeAgain = (questions: JudgedAnswer[]) => Promise<Array<boolean | undefined>>

export interface AskedAgain {
  stability?: Measured
  probes?: Record<string, Measured>
  /** Questions without a verdict. */
  lost: number
}

export async function askAgain(
  answers: readonly JudgedAnswer[],
  { repeats, probes }: { repeats: number; probes: boolean },
  ask: AskJudgeAgain,
): Promise<AskedAgain> {
  const plans = [
    ...(repeats > 0 ? [{ name: undefined, change: (output: unknown) => output, times: repeats }] : []),
    ...(probes ? PROBES.map(({ name, change }) => ({ name, change, times: 1 })) : []),
  ]
  const asked = plans.flatMap((plan) =>
    answers.flatMap((answer) => {
      const output = plan.change(answer.output)
      return output === undefined ? [] : Array.from({ length: plan.times }, () => ({ plan, answer, output }))
    }),
  )
  const verdicts = await ask(asked.map(({ answer, output }) => ({ ...answer, output })))
  const found: AskedAgain = { lost: verdicts.filter((verdict) => verdict === undefined).length }
  for (const plan of plans) {
    // An answer counts as the same only if every repeat of it is.
    const same = new Map<JudgedAnswer, boolean>()
    for (const [index, question] of asked.entries()) {
      const verdict = verdicts[index]
      if (question.plan !== plan || verdict === undefined) continue
      same.set(question.answer, (same.get(question.answer) ?? true) && verdict === question.answer.passed)
    }
    if (same.size === 0) continue
    const share = shareOf([...same.values()])
    if (plan.name === undefined) found.stability = share
    else found.probes = { ...found.probes, [plan.name]: share }
  }
  return found
}

function shareOf(same: boolean[]): Measured {
  const count = same.filter(Boolean).length
  return { value: count / same.length, interval: wilson(count, same.length) }
}
