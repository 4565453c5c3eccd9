// `export default defineConfig({…})` in viva.config.ts: the same object, with types.
import type { VivaConfig } from '../../model/options.js'

export function defineConfig(config: VivaConfig): VivaConfig {
  return config
}
