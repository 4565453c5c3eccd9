// viva.config.{ts,js,mjs,json,yaml} at the application root: defaults, named agents, prices, redactions.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UserError, type Problem } from '../errors.js'
import type { VivaConfig } from '../model/options.js'
import { CONFIG_NAMES } from '../util/app-root.js'
import { suggest } from '../util/suggest.js'

const KEYS: Record<keyof VivaConfig, 'object' | 'list'> = {
  defaults: 'object',
  agents: 'object',
  prices: 'object',
  redactions: 'object',
  testing: 'object',
  awaiting_tools: 'list',
  helpers: 'object',
}

export async function loadConfig(dir: string): Promise<VivaConfig> {
  const name = CONFIG_NAMES.find((candidate) => existsSync(join(dir, candidate)))
  if (name === undefined) return {}
  const path = join(dir, name)
  const value = await readConfig(path)
  const problems = checkConfig(value, path)
  if (problems.length > 0) {
    throw new UserError({
      code: 'BAD_CONFIG',
      message: `${name} has ${problems.length} problem${problems.length === 1 ? '' : 's'}`,
      problems,
    })
  }
  return value as VivaConfig
}

async function readConfig(path: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'))
    if (path.endsWith('.yaml') || path.endsWith('.yml')) {
      const { parse } = await import('yaml')
      return parse(readFileSync(path, 'utf8'), { version: '1.2', maxAliasCount: 0 })
    }
    const module = path.endsWith('.ts') ? await importTypeScript(path) : await import(pathToFileURL(path).href)
    return (module as { default?: unknown }).default
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError({
      code: 'BAD_CONFIG',
      message: `${path}: ${reason}`,
      hint: 'the configuration must be valid before anything runs',
      cause: error,
    })
  }
}

async function importTypeScript(path: string): Promise<unknown> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const code = outputFiles[0]?.text ?? ''
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

function checkConfig(value: unknown, path: string): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [
      {
        file: path,
        message: `expected an object, found ${value === undefined ? 'no default export' : JSON.stringify(value)?.slice(0, 80)}`,
      },
    ]
  }
  const problems: Problem[] = []
  for (const [key, item] of Object.entries(value)) {
    const kind = (KEYS as Record<string, string>)[key]
    if (kind === undefined) {
      const near = suggest(key, Object.keys(KEYS))
      problems.push({
        file: path,
        field: key,
        message: `unknown key "${key}"`,
        ...(near !== undefined && { suggestion: near }),
      })
    } else if (
      kind === 'list' ? !Array.isArray(item) : typeof item !== 'object' || item === null || Array.isArray(item)
    ) {
      problems.push({
        file: path,
        field: key,
        message: `expected ${kind === 'list' ? 'a list' : 'an object'}, found ${typeof item}`,
      })
    }
  }
  return problems
}
