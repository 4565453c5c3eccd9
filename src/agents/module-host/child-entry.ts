// Finds the file that a module agent's process starts from: built beside us, or bundled on demand when we run from source.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From the place this code was bundled to. */
const BUILT = ['./agents/module-child.cjs', '../agents/module-child.cjs']
let bundled: Promise<string> | undefined

export async function findModuleEntry(): Promise<string> {
  if (import.meta.url.endsWith('.ts')) return (bundled ??= bundleChild())
  for (const place of BUILT) {
    const path = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(path)) return path
  }
  throw new Error(`agents/module-child.cjs is missing beside ${import.meta.url}: build again`)
}

async function bundleChild(): Promise<string> {
  const { build } = await import('esbuild')
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./child/main.ts', import.meta.url))],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'silent',
  })
  const folder = mkdtempSync(join(tmpdir(), 'viva-child-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'module-child.cjs')
  writeFileSync(path, result.outputFiles[0]?.contents ?? '')
  return path
}
