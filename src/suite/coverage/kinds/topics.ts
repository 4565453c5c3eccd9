// Topics of an orchestrator that something was published under.
import type { SurfaceKind } from '../kind.js'
import { aboutKey } from '../surface.js'

export const topics: SurfaceKind = {
  name: 'topics',
  title: 'Topics',
  never: 'never published',
  places: ({ lists, about }) =>
    lists.topics?.map((name) => ({
      name,
      aim: {
        wanted: 'An event of this topic is published.',
        about: { topic: name, ...about.get(aboutKey('topics', name)) },
      },
    })),
  *reached({ result }) {
    for (const { topic } of result.session?.events ?? []) yield topic
  },
}
