// A variant: a named way of reaching what is tested. A run has one or more; the first is the baseline.
import type { InferOutput } from 'valibot'
import type { AgentOptions, ToolDescriptions } from './agent.js'
import type { variantEntry } from './config-schema.js'

export interface VariantSpec extends InferOutput<typeof variantEntry> {
  /** Of a skill under test: this variant has it, or goes without it. */
  skill?: SkillSetting
  /** What the file of `descriptions` holds. */
  described?: ToolDescriptions
}

export interface SkillSetting {
  /** Its folder, as given. */
  dir: string
  side: 'with' | 'without'
  /** Folders of other skills, which both sides have. */
  beside: string[]
  /** Where the agent looks for skills; absent: as it is known of the agent. */
  folder?: string
}

export const GATES = ['any', 'baseline', 'others', 'none'] as const
/** Whose failures decide the exit code. */
export type Gate = (typeof GATES)[number]

/** What a variant adds to the options of every request. */
export type OptionsOver = Pick<VariantSpec, 'connector' | 'preset' | 'options' | 'described'>

/** Merged over those of cases and turns. Mutates `options`. */
export function putOver(options: AgentOptions, { connector, preset, options: own }: OptionsOver): AgentOptions {
  if (own) Object.assign(options, own)
  if (preset !== undefined) options['prompt_preset'] = preset
  if (connector !== undefined) options.connector = connector
  return options
}
