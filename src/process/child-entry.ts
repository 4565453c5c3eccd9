// The file that a child process of ours starts from: built next to us, or bundled on demand when running from source.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ChildEntry {
  /** `import.meta.url` of the caller. */
  from: string
  /** Where the build may have put it, relative to the caller. */
  built: string[]
  /** Where its source is, relative to the caller. */
  source: string
}

/** The options of the build too. CommonJS: it starts faster, and stacks through `_compile` need its loader anyway. */
export const CHILD_BUILD = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
} as const

export async function findChildEntry({ from, built, source }: ChildEntry): Promise<string> {
  const pathOf = (place: string): string => fileURLToPath(new URL(place, from))
  if (from.endsWith('.ts')) return bundleOnce(pathOf(source))
  const found = built.map(pathOf).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`${built[0]} is missing beside ${from}: build again`)
  return found
}

/** Our own source does not change while we run: bundled once, for all runs. */
const bundled = new Map<string, Promise<string>>()

function bundleOnce(source: string): Promise<string> {
  let entry = bundled.get(source)
  if (!entry) bundled.set(source, (entry = bundle(source)))
  return entry
}

/** Named by its content, so that it can be kept and shared: nothing has to remove it. */
async function bundle(source: string): Promise<string> {
  const { build } = await import('esbuild')
  const result = await build({ ...CHILD_BUILD, entryPoints: [source], write: false, logLevel: 'silent' })
  const code = result.outputFiles[0]?.contents ?? new Uint8Array()
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const path = join(cacheFolder(dirname(source)), `child-${hash}.cjs`)
  if (existsSync(path)) return path
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, code)
  renameSync(`${path}.${process.pid}`, path)
  return path
}

function cacheFolder(from: string): string {
  const modules = join(from, 'node_modules')
  return existsSync(modules) || dirname(from) === from ? join(modules, '.cache', 'viva') : cacheFolder(dirname(from))
}
