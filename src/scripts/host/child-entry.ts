// Finds the file a script's process starts from: built beside us, or bundled on demand when we run from source.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From the place this code was bundled to. CommonJS first: it starts faster. */
const BUILT = ['cjs', 'js'].flatMap((end) => [`./child.${end}`, `./scripts/child.${end}`, `../scripts/child.${end}`])
let bundled: Promise<string> | undefined

export async function findChildEntry(): Promise<string> {
  if (import.meta.url.endsWith('.ts')) return (bundled ??= bundleChild())
  for (const place of BUILT) {
    const path = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(path)) return path
  }
  throw new Error(`the entry of script processes (scripts/child.cjs) is missing beside ${import.meta.url}: build again`)
}

/** The options of the build too. CommonJS: it starts faster, and stacks through `_compile` need its loader anyway. */
export const CHILD_BUILD = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
} as const

async function bundleChild(): Promise<string> {
  const { build } = await import('esbuild')
  const source = fileURLToPath(new URL('../child/main.ts', import.meta.url))
  const result = await build({ ...CHILD_BUILD, entryPoints: [source], write: false, logLevel: 'silent' })
  const folder = mkdtempSync(join(tmpdir(), 'viva-child-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'child.cjs')
  writeFileSync(path, result.outputFiles[0]?.contents ?? '')
  return path
}
