// Tools that answered with an error: what the agent does then is a path of its own.
import type { SurfaceKind } from '../kind.js'
import { briefly } from '../schema-places.js'

export const toolErrors: SurfaceKind = {
  name: 'tool_errors',
  title: 'Tool errors',
  never: 'never answered with an error',
  places: (surface) =>
    surface.tools?.map(({ name, description, arguments: all }) => ({
      name,
      within: { kind: 'tools', name },
      aim: {
        wanted:
          'The agent calls this tool, and the tool answers with an error: something it looks for is missing, or a rule forbids it.',
        about: { tool: name, description, arguments: all?.map(briefly) },
      },
    })),
  *reached({ calls }) {
    for (const { name, failed } of calls) if (failed) yield name
  },
}
