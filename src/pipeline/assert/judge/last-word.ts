// The last word of a judge: the object its answer ends with, provided that nothing else in the answer contradicts it.
import { isEqual } from '../../../base/equal.js'
import { lastJson } from '../../../base/json/find-json.js'
import { isRecord } from '../../../base/record.js'
import { spokenVerdicts } from './spoken-verdict.js'

export interface LastWord {
  value: Record<string, unknown>
  /** Nothing precedes it: it cannot be a quotation. */
  alone: boolean
}

/** Why an answer has no last word. */
export class NoLastWord extends Error {}

/** `key` is what makes an object a verdict: `passed`, or `score` of a rating. Throws NoLastWord. */
export function lastWord(answer: string, key: 'passed' | 'score'): LastWord {
  const text = withoutFence(withoutThinking(answer))
  const found = lastJson(text)
  if (!found || !isRecord(found.value)) throw new NoLastWord(whyNone(text))
  const { value, before, earlier, repeated } = found
  if (repeated || hasTwice(value, key)) throw new NoLastWord(TWICE)
  if (earlier.some((other) => contradicts(other, value, key))) {
    throw new NoLastWord('the judge gave more than one verdict')
  }
  if (NEGATED.test(before)) throw new NoLastWord('the verdict is negated by the words before it')
  const spoken = spokenVerdicts(before)
  if (key === 'score' ? spoken.size > 0 : spoken.has(!value['passed'])) {
    throw new NoLastWord('another line of the answer is a verdict of its own')
  }
  // Not what remains after removing the thinking: the end of the thinking may be quoted as well.
  return { value, alone: answer.trimEnd().length === text.length && before.trim() === '' }
}

const NEGATED = /(?:\b(?:not|never|no)|n't)[\s:`"'*]*$/i

/** What a model thinks aloud is not its answer. Tags in the object that the answer ends with are part of it. */
function withoutThinking(answer: string): string {
  const whole = withoutFence(answer)
  const start = lastJson(whole)?.before.length
  const before = start === undefined ? answer : whole.slice(0, start)
  const thought = [...before.matchAll(THOUGHT)].at(-1)
  const rest = thought ? before.slice(thought.index + thought[0].length) : before
  if (THINKS.test(rest)) throw new NoLastWord('the answer ends inside a thinking block')
  // Some templates omit the opening tag, but a tag inside an incomplete object ends no thinking.
  if (start === undefined && thought && /^\s*(?:(?:`{3,}|~{3,})\w*\s*)?\{/.test(answer)) return answer
  return rest + answer.slice(before.length)
}

const TAGS = '(?:[\\w-]+:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)'
const THOUGHT = new RegExp(`</${TAGS}\\s*>|\\[/think\\]|◁/think▷|<\\|channel\\|>\\s*final[^<]*<\\|message\\|>`, 'gi')
const THINKS = new RegExp(`<${TAGS}(?:\\s[^<>]*)?>|\\[think\\]|◁think▷|<\\|channel\\|>(?!\\s*final)`, 'i')

/** The closing fence after the verdict, if it closes one that was opened. */
function withoutFence(text: string): string {
  const trimmed = text.trimEnd()
  const mark = /(?:^|\n)[ \t]*(`{3,}|~{3,})$/.exec(trimmed)
  if (!mark?.[1]) return trimmed
  const fences = trimmed.match(new RegExp(`^[ \\t]*${mark[1][0]}{3,}`, 'gm')) ?? []
  return fences.length % 2 === 0 ? trimmed.slice(0, mark.index).trimEnd() : trimmed
}

export const TWICE = 'the verdict has a key twice'

/** As `passed` and `Passed`. */
export function hasTwice(value: object, key: string): boolean {
  return Object.keys(value).filter((name) => name.toLowerCase() === key).length > 1
}

export function contradicts(other: unknown, verdict: Record<string, unknown>, key: string): boolean {
  if (Array.isArray(other)) return other.some((item) => contradicts(item, verdict, key))
  if (!isRecord(other)) return false
  if (Object.hasOwn(other, key) && !isEqual(other[key], verdict[key])) return true
  // A score may have parts that differ from it; a pass that contains a failure is not a pass.
  return key === 'passed' && Object.values(other).some((value) => contradicts(value, verdict, key))
}

/** Obvious: needs no explanation beside the answer. */
export const NO_OBJECT = 'the answer has no JSON object'

function whyNone(text: string): string {
  if (!/[{[]/.test(text)) return NO_OBJECT
  if (/[}\]]\s*\S/.test(text) && !/[}\]]\s*$/.test(text)) return 'words follow the verdict, or the answer was cut off'
  return 'the answer does not end with a complete JSON object'
}
