// A change in words.
import { show } from '../../base/text.js'
import { edited, type Edit } from './edit.js'

const AROUND = 12

export function describeEdits(edits: readonly Edit[]): string[] {
  return edits.map(describeEdit)
}

function describeEdit({ slot, start, end, text }: Edit): string {
  const was = slot.text.slice(start, end)
  if (was === '')
    return `${shown(text.trim() === '' ? text : text.trim())} added ${placeOf(slot.text, start)} ${slot.where}`
  if (text === '') return `${shown(was)} left out of ${slot.where}`
  const wide = was.length < 3 ? widened(slot.text, { start, end, text }) : { was, now: text }
  return `${shown(wide.was)} → ${shown(wide.now)} in ${slot.where}`
}

/** With the rest of the words it is in: one character tells a reader little. */
function widened(text: string, edit: Omit<Edit, 'slot'>): { was: string; now: string } {
  const before = /\S*$/.exec(text.slice(Math.max(0, edit.start - AROUND), edit.start))?.[0] ?? ''
  const after = /^\S*/.exec(text.slice(edit.end, edit.end + AROUND))?.[0] ?? ''
  const [start, end] = [edit.start - before.length, edit.end + after.length]
  const part = { start: edit.start - start, end: edit.end - start, text: edit.text }
  const was = text.slice(start, end)
  return { was, now: edited(was, [part]) }
}

function placeOf(text: string, at: number): string {
  if (at === 0) return 'before'
  return at >= text.trimEnd().length ? 'at the end of' : 'inside'
}

/** White space and look-alikes as escapes: they cannot be seen. */
function shown(text: string): string {
  const json = show(text, 160)
  return json.replaceAll(
    /[\u00a0\u2011]|\p{M}|\p{Script=Cyrillic}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
