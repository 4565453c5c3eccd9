// Tools that were called and did not fail.
import type { SurfaceKind } from '../kind.js'
import { briefly } from '../schema-places.js'

export const tools: SurfaceKind = {
  name: 'tools',
  title: 'Tools',
  never: 'never called with success',
  places: (surface) =>
    surface.tools?.map(({ name, description, arguments: all }) => ({
      name,
      aim: {
        wanted: 'The agent calls this tool, and the tool answers without an error.',
        about: { tool: name, description, arguments: all?.map(briefly) },
      },
    })),
  *reached({ calls }) {
    for (const { name, failed } of calls) if (!failed) yield name
  },
}
