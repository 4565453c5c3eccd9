// Values of arguments that have few: those of an enum, and true and false.
import type { SurfaceKind } from '../kind.js'
import { briefly, usedArguments, valueText } from '../schema-places.js'

export const values: SurfaceKind = {
  name: 'values',
  title: 'Values of arguments',
  never: 'never used',
  places: (surface) => {
    const known = surface.tools?.filter((tool) => tool.arguments !== undefined) ?? []
    if (known.length === 0) return undefined
    return known.flatMap(({ name, description, arguments: all = [] }) =>
      all.flatMap((argument) =>
        argument.values.map((value) => ({
          name: `${name}.${argument.path}=${valueText(value)}`,
          within: { kind: 'arguments' as const, name: `${name}.${argument.path}` },
          aim: {
            wanted: 'The agent calls this tool and gives this argument this value.',
            about: { tool: name, description, argument: briefly(argument), value, arguments: all.map(briefly) },
          },
        })),
      ),
    )
  },
  *reached({ calls }) {
    for (const { name, tool, args } of calls) {
      if (args === undefined || tool?.arguments === undefined) continue
      for (const { path, values: used } of usedArguments(tool.arguments, args))
        for (const value of used) yield `${name}.${path}=${value}`
    }
  },
}
