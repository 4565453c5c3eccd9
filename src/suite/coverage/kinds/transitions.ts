// From hat to hat by an event: who published it, and whose turn that made it.
import type { SurfaceKind } from '../kind.js'
import { aboutKey } from '../surface.js'

export const transitions: SurfaceKind = {
  name: 'transitions',
  title: 'Transitions',
  never: 'never taken',
  places: ({ lists, about }) =>
    lists.transitions?.map((name) => ({
      name,
      aim: {
        wanted: 'An event takes the loop from the one hat to the other.',
        about: { transition: name, ...about.get(aboutKey('transitions', name)) },
      },
    })),
  *reached({ result }) {
    for (const { topic, source, target, recipients } of result.session?.events ?? [])
      for (const to of recipients ?? (target === null ? [] : [target])) yield transitionName(source, to, topic)
  },
}

/** Null: the loop itself. */
export function transitionName(from: string | null, to: string, topic: string): string {
  return `${from ?? '(loop)'} → ${to} by ${topic}`
}
