// Hats of an orchestrator that had a turn.
import type { SurfaceKind } from '../kind.js'

export const hats: SurfaceKind = {
  name: 'hats',
  title: 'Hats',
  never: 'never had a turn',
  places: ({ lists }) =>
    lists.hats?.map((name) => ({ name, aim: { wanted: 'This hat has a turn.', about: { hat: name } } })),
  *reached({ result }) {
    for (const { hat } of result.session?.iterations ?? []) yield hat
  },
}
