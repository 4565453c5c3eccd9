// Hooks of an agent package that ran.
import type { SurfaceKind } from '../kind.js'
import { aboutKey } from '../surface.js'

export const hooks: SurfaceKind = {
  name: 'hooks',
  title: 'Hooks',
  never: 'never ran',
  places: ({ lists, about }) =>
    lists.hooks?.map((name) => ({
      name,
      aim: { wanted: 'This hook of the agent runs.', about: { hook: name, ...about.get(aboutKey('hooks', name)) } },
    })),
  *reached({ steps }) {
    for (const { kind, name } of steps) if (kind === 'hook') yield name
  },
}
