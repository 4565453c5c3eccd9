// The configuration of a project, as its schema describes it.
import type { InferOutput } from 'valibot'
import type { agentEntry, configSchema, price } from './config-schema.js'

/** `agents` in the configuration: a target, or a target with the settings its kind needs. */
export interface AgentEntry extends InferOutput<typeof agentEntry> {}

export interface Price extends InferOutput<typeof price> {}

/** `defaults` are options of `viva test`: see `config/`. */
export interface VivaConfig extends InferOutput<typeof configSchema> {}
