// `export default defineConfig({…})` in viva.config.ts: the same object, with types.
import type { WrittenConfig } from '../model/config.js'
import type { RunOptions } from './options.js'

export interface VivaConfig extends Omit<WrittenConfig, 'defaults'> {
  defaults?: Partial<RunOptions>
}

export function defineConfig(config: VivaConfig): VivaConfig {
  return config
}
