// Hats of an orchestrator that had a turn.
import type { SurfaceKind } from '../kind.js'
import { aboutKey } from '../surface.js'

export const hats: SurfaceKind = {
  name: 'hats',
  title: 'Hats',
  never: 'never had a turn',
  places: ({ lists, about }) =>
    lists.hats?.map((name) => ({
      name,
      aim: { wanted: 'This hat has a turn.', about: { hat: name, ...about.get(aboutKey('hats', name)) } },
    })),
  *reached({ result }) {
    for (const { hat } of result.session?.iterations ?? []) yield hat
  },
}
