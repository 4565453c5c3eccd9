// Hooks of an agent package that ran.
import type { SurfaceKind } from '../kind.js'

export const hooks: SurfaceKind = {
  name: 'hooks',
  title: 'Hooks',
  never: 'never ran',
  places: ({ lists }) =>
    lists.hooks?.map((name) => ({ name, aim: { wanted: 'This hook of the agent runs.', about: { hook: name } } })),
  *reached({ steps }) {
    for (const { kind, name } of steps) if (kind === 'hook') yield name
  },
}
