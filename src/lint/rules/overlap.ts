// Names and descriptions that a model cannot tell apart: of skills side by side, and of the tools of one list.
import { show } from '../../base/text.js'
import type { Found } from '../finding.js'
import { defineRule } from '../rule.js'
import type { ListedItem, Skill } from '../subject.js'
import { findAlike } from '../text/similarity.js'
import { startOf, textField } from './skill-head.js'

const REASON = 'A model that cannot tell two of them apart takes the wrong one.'
const FIX = 'Say in each what the other does not do, or make one of the two.'

export const OVERLAP = [
  defineRule({
    id: 'skill-name-duplicate',
    on: 'skills',
    severity: 'error',
    summary: 'two skills in one folder with the same name, or names that differ by case or separator only',
    reason: 'Only one of them can be called by it, and which one depends on the agent.',
    fix: 'Rename one of them, and its folder.',
    *find(skills) {
      for (const [one, other] of sameNames(skills, (skill) => textField(skill, 'name')))
        yield {
          file: other.file,
          ...startOf(other, 'name'),
          message: `the name ${show(textField(other, 'name'), 80)} is also that of ${one.file}`,
        }
    },
  }),
  defineRule({
    id: 'skill-description-overlap',
    on: 'skills',
    severity: 'warning',
    summary: 'two skills in one folder with nearly the same description',
    reason: REASON,
    fix: FIX,
    *find(skills) {
      const described = skills.filter((skill) => textField(skill, 'description') !== undefined)
      for (const { a, b, similarity } of findAlike(described.map((skill) => textField(skill, 'description') ?? ''))) {
        const [one, other] = [described[a], described[b]]
        if (!one || !other) continue
        const name = textField(one, 'name') ?? one.file
        yield {
          file: other.file,
          ...startOf(other, 'description'),
          message: `the description is nearly that of ${show(name, 80)} (similarity ${similarity.toFixed(2)} of 1)`,
        }
      }
    },
  }),
  defineRule({
    id: 'tool-name-duplicate',
    on: 'list',
    severity: 'error',
    summary: 'two tools, or two prompts, with the same name',
    reason: 'A call by this name reaches only one of them.',
    fix: 'Rename one of them.',
    *find({ items }) {
      for (const kind of ['tool', 'prompt'] as const) {
        const seen = new Set<string>()
        for (const item of items.filter((each) => each.kind === kind)) {
          if (seen.has(item.name)) yield { ...item.place, message: `the name ${show(item.name, 80)} is given twice` }
          seen.add(item.name)
        }
      }
    },
  }),
  defineRule({
    id: 'tool-name-alike',
    on: 'list',
    severity: 'warning',
    summary: 'names of tools that differ by case or separator only',
    reason: 'Models mix up getUser and get_user, and some clients treat them as one.',
    fix: 'Rename one of them so that the words differ.',
    *find({ items }) {
      for (const [one, other] of sameNames(
        items.filter(({ kind }) => kind === 'tool'),
        ({ name }) => name,
      ))
        if (one.name !== other.name)
          yield {
            ...other.place,
            message: `${show(other.name, 80)} and ${show(one.name, 80)} differ by case or separator only`,
          }
    },
  }),
  defineRule({
    id: 'tool-description-overlap',
    on: 'list',
    severity: 'warning',
    summary: 'two tools with nearly the same description',
    reason: REASON,
    fix: FIX,
    *find({ items }) {
      yield* alikeItems(items.filter(({ kind, description }) => kind === 'tool' && description !== undefined))
    },
  }),
]

function* alikeItems(items: ListedItem[]): Iterable<Found> {
  for (const { a, b, similarity } of findAlike(items.map(({ description = '' }) => description))) {
    const [one, other] = [items[a], items[b]]
    if (!one || !other || one.name === other.name) continue
    const message = `the description is nearly that of ${show(one.name, 80)} (similarity ${similarity.toFixed(2)} of 1)`
    yield { ...other.place, message }
  }
}

/** Each with the first of the same name. */
function* sameNames<T extends Skill | ListedItem>(
  items: readonly T[],
  nameOf: (item: T) => string | undefined,
): Iterable<[T, T]> {
  const first = new Map<string, T>()
  for (const item of items) {
    const name = nameOf(item)
      ?.toLowerCase()
      .replaceAll(/[\s_.-]/g, '')
    if (name === undefined || name === '') continue
    const known = first.get(name)
    if (known) yield [known, item]
    else first.set(name, item)
  }
}
