// The kinds of surface, the most useful holes first.
import { toolArguments } from './kinds/arguments.js'
import { delegations } from './kinds/delegations.js'
import { endings } from './kinds/endings.js'
import { hats } from './kinds/hats.js'
import { hooks } from './kinds/hooks.js'
import { locales } from './kinds/locales.js'
import { presets } from './kinds/presets.js'
import { skills } from './kinds/skills.js'
import { toolErrors } from './kinds/tool-errors.js'
import { tools } from './kinds/tools.js'
import { topics } from './kinds/topics.js'
import { transitions } from './kinds/transitions.js'
import { values } from './kinds/values.js'
import type { SurfaceKind } from './kind.js'

export const SURFACE_KINDS: readonly SurfaceKind[] = [
  tools,
  hats,
  delegations,
  hooks,
  skills,
  transitions,
  topics,
  values,
  toolArguments,
  toolErrors,
  presets,
  locales,
  endings,
]
