// `surface` in viva.config: a list of what the agent has, in place of what anything else says about that kind.
import { defined } from '../../../base/defined.js'
import type { VivaConfig } from '../../../model/config.js'
import { addTools, LISTED_KINDS, type Surface } from '../surface.js'

export function addConfigured(surface: Surface, given: NonNullable<VivaConfig['surface']>): void {
  const { tools } = given
  if (tools) {
    surface.tools = []
    addTools(
      surface,
      tools.map((tool) => {
        if (typeof tool === 'string') return { name: tool }
        const { name, description, input_schema } = tool
        return { name, ...defined({ description, input_schema }) }
      }),
    )
    surface.unlisted = []
  }
  for (const kind of LISTED_KINDS) {
    const list = given[kind]
    if (list) surface.lists[kind] = list
  }
  if (Object.keys(given).length > 0) surface.from.push('"surface" of the configuration')
}
