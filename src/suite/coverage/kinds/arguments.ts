// Arguments of tools: `find.number`, `order.items[].id`.
import type { SurfaceKind } from '../kind.js'
import { briefly, usedArguments } from '../schema-places.js'

export const toolArguments: SurfaceKind = {
  name: 'arguments',
  title: 'Arguments',
  never: 'never given',
  places: (surface) => {
    const known = surface.tools?.filter((tool) => tool.arguments !== undefined) ?? []
    if (known.length === 0) return undefined
    return known.flatMap(({ name, description, arguments: all = [] }) =>
      all.map((argument) => ({
        name: `${name}.${argument.path}`,
        within: { kind: 'tools' as const, name },
        aim: {
          wanted: 'The agent calls this tool and gives this argument.',
          about: { tool: name, description, argument: briefly(argument), arguments: all.map(briefly) },
        },
      })),
    )
  },
  *reached({ calls }) {
    for (const { name, tool, args } of calls) {
      if (args === undefined) continue
      if (tool?.arguments === undefined) for (const key of Object.keys(args)) yield `${name}.${key}`
      else for (const { path, isGiven } of usedArguments(tool.arguments, args)) if (isGiven) yield `${name}.${path}`
    }
  },
}
