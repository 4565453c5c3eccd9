// Other agents that the agent handed a conversation over to.
import type { SurfaceKind } from '../kind.js'
import { aboutKey } from '../surface.js'

export const delegations: SurfaceKind = {
  name: 'delegations',
  title: 'Delegations',
  never: 'never delegated to',
  places: ({ lists, about }) =>
    lists.delegations?.map((name) => ({
      name,
      aim: {
        wanted: 'The agent hands the conversation over to this other agent.',
        about: { agent: name, ...about.get(aboutKey('delegations', name)) },
      },
    })),
  reached: ({ delegates }) => delegates,
}
