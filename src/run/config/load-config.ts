// viva.config.{ts,js,mjs,json,yaml} at the application root: defaults, named agents, prices, redactions.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.js'
import type { VivaConfig } from '../../model/options.js'
import { CONFIG_NAMES } from '../../files/app-root.js'
import { messageOf } from '../../base/message-of.js'
import { plural } from '../../base/format.js'

export interface LoadedConfig {
  config: VivaConfig
  /** Its name; absent where there is none. */
  file?: string
}

export async function loadConfig(dir: string): Promise<LoadedConfig> {
  const name = CONFIG_NAMES.find((candidate) => existsSync(join(dir, candidate)))
  if (name === undefined) return { config: {} }
  const path = join(dir, name)
  const value = await readConfig(path)
  const { checkConfig } = await import('./check-config.js')
  const problems = checkConfig(value, path)
  if (problems.length > 0) {
    throw new UserError({
      code: 'BAD_CONFIG',
      message: `${name} has ${plural(problems.length, 'problem')}`,
      problems,
    })
  }
  return { config: value as VivaConfig, file: name }
}

async function readConfig(path: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'))
    if (path.endsWith('.yaml') || path.endsWith('.yml')) {
      const { parse } = await import('yaml')
      return parse(readFileSync(path, 'utf8'), { version: '1.2', maxAliasCount: 0 })
    }
    const { loadModule } = await import('../../agents/targets/load-module.js')
    const { exports, release } = await loadModule(path)
    // A configuration is data: with what it exports it is done.
    release()
    return exports['default']
  } catch (error) {
    // Whatever kept the module from loading, it is the configuration that must be mended.
    if (error instanceof UserError) throw error.as({ code: 'BAD_CONFIG' })
    throw new UserError({
      code: 'BAD_CONFIG',
      message: `${path}: ${withoutExcerpt(messageOf(error))}`,
      hint: 'the configuration must be valid before anything runs',
      cause: error,
    })
  }
}

/** YAML mistakes come with the lines around them, which would be one long line here. */
function withoutExcerpt(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '')
}
