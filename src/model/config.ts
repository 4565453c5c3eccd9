// The configuration of a project, as its schema describes it.
import type { InferOutput } from 'valibot'
import type { agentEntry, configSchema, price } from './config-schema.js'

/** `agents` in the configuration: a target, or a target with the settings its kind needs. `url` is read as `target`. */
export interface AgentEntry extends Omit<InferOutput<typeof agentEntry>, 'target' | 'url'> {
  target: string
}

export interface Price extends InferOutput<typeof price> {}

/** `defaults` are options of `viva test`: see `config/`. */
export interface VivaConfig extends Omit<InferOutput<typeof configSchema>, 'agents'> {
  agents?: Record<string, string | AgentEntry>
}

/** As a project writes it. */
export interface WrittenConfig extends InferOutput<typeof configSchema> {}
