// `viva:promptfoo/<name>` in a script assertion: checks that give promptfoo's verdicts, or stricter ones. They run where users'
// scripts run, since JavaScript and Python in a case is the user's.
import { check } from './checks'
import { contextOf, runTransform } from './code'
import { isJson } from './json-objects'
import type { Known, Settings, Verdict } from './settings'
import { answerOf, claim, concluded, type CheckScript } from './verdict'

export const Check: CheckScript = async (output, _input, _expected, { metadata, ...known }) =>
  answerOf(await verdict(metadata, output, known))

async function verdict(settings: Settings, given: unknown, known: Known): Promise<Verdict> {
  if (settings.type === 'assert-set') return setVerdict(settings, given, known)
  const context = contextOf(settings, known.evidence, given)
  let output = settings.json && typeof given === 'string' && isJson(given) ? (JSON.parse(given) as unknown) : given
  for (const code of settings.transforms ?? []) output = await runTransform(code, output, context)
  if (output === undefined || output === null) throw new Error('there is nothing to check: no answer, or no transform')
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return concluded(settings, await check({ settings, output, text, context, known }), output)
}

/** The weighted mean of the scores reaches the threshold; without one, all must pass. */
async function setVerdict({ assert = [], threshold }: Settings, given: unknown, known: Known): Promise<Verdict> {
  let [sum, weights] = [0, 0]
  const parts: string[] = []
  let isHeld = true
  for (const settings of assert) {
    const { weight = 1, type } = settings
    const { pass, score = pass ? 1 : 0, reason } = await verdict(settings, given, known)
    if (!(score >= 0 && score <= 1)) throw new Error(`the score of ${type} is ${score}, expected 0 to 1`)
    sum += score * weight
    weights += weight
    if (!pass) isHeld = false
    parts.push(`${reason ?? claim(settings)} (${score})`)
  }
  if (weights <= 0) throw new Error('no check has any weight')
  const score = sum / weights
  const pass = threshold === undefined ? isHeld : score >= threshold
  const wanted = threshold === undefined ? '' : `, threshold ${threshold}`
  return { pass, score, reason: `score ${score.toFixed(4)}${wanted}: ${parts.join('; ')}` }
}
