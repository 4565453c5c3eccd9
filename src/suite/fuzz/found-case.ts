// A weakness as a case of its own, for a case file.
import { relative, resolve } from 'node:path'
import { mapStrings } from '../../base/map-strings.js'
import { writtenCase } from '../../model/case-written.js'
import { describeEdits } from './describe.js'
import { changedCase, type Try } from './plan.js'
import { wholeChange, type Smallest } from './smallest.js'

export interface FoundInit {
  item: Try
  small: Smallest
  id: string
  seed: number
}

/** Where it comes from is in a key that no agent sees. */
export function foundCase({ item, small, id, seed }: FoundInit): object {
  const { subject, operator } = item
  const { id: from, ...changed } = changedCase(subject.testCase, wholeChange(small))
  const fuzz = { from, operator: operator.name, seed, changes: describeEdits(small.change.edits) }
  return { id, ...writtenCase({ id, ...changed }), 'x-fuzz': fuzz }
}

/** The same in a case file of another folder: paths that are relative to the file still lead to the same place. */
export function movedCase(found: object, from: string, to: string): object {
  if (from === to) return found
  const moved = (path: string): string => relative(to, resolve(from, path)).replaceAll('\\', '/')
  const { testing, ...rest } = mapStrings(found, (text) =>
    /^file:\/\/(?!\/)/.test(text) ? `file://${moved(text.slice('file://'.length))}` : text,
  ) as { testing?: { tools?: unknown } }
  if (typeof testing?.tools !== 'string') return testing ? { ...rest, testing } : rest
  return { ...rest, testing: { ...testing, tools: `./${moved(testing.tools)}` } }
}
