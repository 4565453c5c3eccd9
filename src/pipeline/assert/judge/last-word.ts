// The last word of a judge: the object its answer ends with, provided that nothing else in the answer contradicts it.
import { isEqual } from '../../../base/equal.js'
import { lastJson } from '../../../base/json/find-json.js'
import { isRecord } from '../../../base/record.js'
import { spokenVerdicts } from './spoken-verdict.js'

export interface LastWord {
  value: Record<string, unknown>
  /** Nothing stands before it: it cannot be a quotation. */
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
  if (repeated) throw new NoLastWord('the verdict has a key twice')
  if (earlier.some((other) => contradicts(other, value, key))) {
    throw new NoLastWord('the judge gave more than one verdict')
  }
  const spoken = spokenVerdicts(before)
  if (key === 'score' ? spoken.size > 0 : spoken.has(!value['passed'])) {
    throw new NoLastWord('another line of the answer is a verdict of its own')
  }
  return { value, alone: before.trim() === '' }
}

/** What a model thinks aloud is not its answer. Some templates leave out the opening tag. */
function withoutThinking(answer: string): string {
  const closing = [...answer.matchAll(/<\/(?:think|thinking|thought|reasoning|reflection|scratchpad)>/gi)].at(-1)
  const rest = closing ? answer.slice(closing.index + closing[0].length) : answer
  if (/<(?:think|thinking|thought|reasoning|reflection|scratchpad)>/i.test(rest)) {
    throw new NoLastWord('the answer ends inside a thinking block')
  }
  return rest
}

/** The closing fence after the verdict, if it closes one that was opened. */
function withoutFence(text: string): string {
  const trimmed = text.trimEnd()
  const mark = /(?:^|\n)[ \t]*(`{3,}|~{3,})$/.exec(trimmed)
  if (!mark?.[1]) return trimmed
  const fences = trimmed.match(new RegExp(`^[ \\t]*${mark[1][0]}{3,}`, 'gm')) ?? []
  return fences.length % 2 === 0 ? trimmed.slice(0, mark.index).trimEnd() : trimmed
}

function contradicts(other: unknown, verdict: Record<string, unknown>, key: string): boolean {
  if (Array.isArray(other)) return other.some((item) => contradicts(item, verdict, key))
  return isRecord(other) && Object.hasOwn(other, key) && !isEqual(other[key], verdict[key])
}

/** Plain to see: needs no explanation beside the answer. */
export const NO_OBJECT = 'the answer has no JSON object'

function whyNone(text: string): string {
  if (!/[{[]/.test(text)) return NO_OBJECT
  if (/[}\]]\s*\S/.test(text) && !/[}\]]\s*$/.test(text)) return 'words follow the verdict, or the answer was cut off'
  return 'the answer does not end with a complete JSON object'
}
