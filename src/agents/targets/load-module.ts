// Imports a user's module: JavaScript as it is, TypeScript bundled first.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildFailure, Plugin } from 'esbuild'
import { UserError, type Problem } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { messageOf } from '../../base/message-of.js'
import { shippedPath } from '../../files/shipped.js'
import { placeModule } from './place-module.js'

const COMPILED = new Set(['.ts', '.mts', '.cts', '.tsx', '.jsx'])

export interface LoadedModule {
  exports: Record<string, unknown>
  /** It will not import anything any more. */
  release(): void
}

/** Into this process: the configuration, and cases that a program provides. Sees whatever has changed since it was last loaded. */
export async function loadModule(file: string): Promise<LoadedModule> {
  const { url, imported, release } = (await compileModule(file, await isStale(file))).place(true)
  try {
    return { exports: (await import(url)) as Record<string, unknown>, release }
  } catch (cause) {
    release()
    throw cause instanceof UserError ? cause : failedToLoad(file, cause)
  } finally {
    imported()
  }
}

/** A module in a form that Node can import, as often as there are processes. */
export interface ModuleSource {
  /** `shared`: the same code is the same module; otherwise each place has its own. */
  place(shared?: boolean): ModulePlace
}

export interface ModulePlace {
  url: string
  /** Its own file is no longer needed. */
  imported(): void
  /** It will not import anything any more. */
  release(): void
}

export async function compileModule(file: string, bundled = false): Promise<ModuleSource> {
  if (!bundled && !COMPILED.has(extname(file))) {
    return { place: () => ({ url: pathToFileURL(file).href, imported() {}, release() {} }) }
  }
  const code = await bundle(file)
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 12)
  let places = 0
  return {
    place(shared = false) {
      const own = shared ? 'all' : ++places
      const { path, folder } = placeModule(file, `${basename(file)}-${process.pid}-${hash}-${own}.mjs`, code)
      return {
        url: pathToFileURL(path).href,
        imported: () => rmSync(path, { force: true }),
        release: () => {
          if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

/** JavaScript that Node has imported unmodified, which it does once per process: path → its text then. */
const importedTexts = new Map<string, string>()

async function isStale(file: string): Promise<boolean> {
  if (COMPILED.has(extname(file))) return false
  const text = await readFile(file, 'utf8').catch(() => '')
  const before = importedTexts.get(file)
  if (before === undefined) {
    importedTexts.set(file, text)
    return false
  }
  // What it imports may have changed as well.
  return text !== before || /\b(?:from|import|require)\b\s*\(?\s*['"`]\.{1,2}\//.test(text)
}

async function bundle(file: string): Promise<string> {
  const { build } = await import('esbuild')
  const url = JSON.stringify(pathToFileURL(file).href)
  try {
    const result = await build({
      entryPoints: [file],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      // Stacks name the user's files, wherever the bundle is.
      absWorkingDir: dirname(file),
      sourceRoot: `${pathToFileURL(dirname(file)).href}/`,
      write: false,
      logLevel: 'silent',
      define: {
        'import.meta.url': '__viva_url',
        'import.meta.dirname': '__viva_dirname',
        'import.meta.filename': '__viva_filename',
      },
      // CommonJS files inside the bundle require packages.
      banner: { js: `import{createRequire as __viva_require}from'node:module';const require=__viva_require(${url});` },
      plugins: [ownLocation, ourselves],
    })
    return result.outputFiles[0]?.text ?? ''
  } catch (error) {
    throw failedToCompile(file, error as BuildFailure)
  }
}

/** The bundle is elsewhere, yet each source file must see its own location. On the first line, so that line numbers stay correct. */
const ownLocation: Plugin = {
  name: 'own-location',
  setup(builder) {
    builder.onLoad({ filter: /\.(ts|mts|cts|tsx|js|mjs|jsx)$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta.')) return undefined
      const place = { __viva_url: pathToFileURL(path).href, __viva_dirname: dirname(path), __viva_filename: path }
      const names = Object.entries(place).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
      const loader = extname(path).replace('.m', '.').replace('.c', '.').slice(1)
      return { contents: names.join('') + source, loader: loader as 'ts' | 'tsx' | 'js' | 'jsx' }
    })
  },
}

/** `import … from 'viva'`: what the project has installed, else the package that runs it, as with `npx viva`. */
const ourselves: Plugin = {
  name: 'ourselves',
  setup(builder) {
    builder.onResolve({ filter: /^viva$/ }, ({ path, importer }) => {
      const found = resolveFrom(importer, path) ?? resolveFrom(shippedPath('templates', 'viva.d.ts'), path)
      return found === undefined ? undefined : { path: pathToFileURL(found).href, external: true }
    })
  },
}

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name)
  } catch {
    return undefined
  }
}

function failedToCompile(file: string, failure: BuildFailure): UserError {
  const problems = (failure.errors ?? []).map((error): Problem => {
    const { location } = error
    return defined({
      file: location ? resolve(dirname(file), location.file) : undefined,
      line: location?.line,
      column: location ? location.column + 1 : undefined,
      message: error.text,
    })
  })
  const [first] = problems
  return new UserError({
    code: 'MODULE_SYNTAX',
    message: `${file} does not compile${first ? `: ${first.message}` : ''}`,
    hint: 'fix the module; relative imports must name files that exist',
    problems,
    cause: failure,
  })
}

export function failedToLoad(file: string, cause: unknown): UserError {
  const text = messageOf(cause)
  const missing = /Cannot find package '([^']+)'/.exec(text)?.[1]
  return new UserError({
    code: 'MODULE_FAILED',
    message: `${file} could not be loaded: ${text}`,
    hint: missing
      ? `install it where the module is: npm install ${missing}`
      : 'the module must load without errors: try `node` on it',
    cause,
  })
}
