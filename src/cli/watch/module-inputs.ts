// What JavaScript and TypeScript files consist of, as the bundler sees it: themselves and everything they import.
import { resolve } from 'node:path'
import { siblingOf } from '../../scripts/compile/sibling.js'

const CODE = /\.[cm]?[jt]sx?$/

export interface ModuleInputs {
  /** All files of the project that it depends on, itself first. */
  files: string[]
  /** It does not compile: what it depends on is not known. */
  isBroken: boolean
}

export function isCode(file: string): boolean {
  return CODE.test(file)
}

export async function moduleInputs(files: Iterable<string>): Promise<Map<string, ModuleInputs>> {
  const found = new Map<string, ModuleInputs>()
  for (const file of new Set(files))
    found.set(file, isCode(file) ? await inputsOf(file) : { files: [file], isBroken: false })
  return found
}

async function inputsOf(file: string): Promise<ModuleInputs> {
  const { build } = await import('esbuild')
  const sibling = siblingOf(file)
  // A test file sees the module beside it without importing it.
  const entries = sibling === undefined ? [file] : [file, sibling]
  try {
    const { metafile } = await build({
      absWorkingDir: resolve('/'),
      entryPoints: entries,
      outdir: resolve('/viva-is-not-written'),
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      external: ['@yao/*', '*.node'],
      loader: TEXTS,
      logLevel: 'silent',
    })
    const inputs = Object.keys(metafile.inputs).map((path) => resolve('/', path))
    const own = inputs.filter((path) => !path.includes('/node_modules/'))
    return { files: [...new Set([...entries, ...own])], isBroken: false }
  } catch {
    return { files: entries, isBroken: true }
  }
}

/** Any other import is a dependency, not a reason to give up. */
const TEXTS = Object.fromEntries(
  ['.txt', '.md', '.yml', '.yaml', '.yao', '.html', '.sql', '.csv', '.wasm', '.png', '.jpg', '.svg'].map((end) => [
    end,
    'empty' as const,
  ]),
)
