// A script and what it imports → one piece of code for a child process, with a map back to the user's lines.
import { join, resolve } from 'node:path'
import type { BuildFailure, BuildResult } from 'esbuild'
import type { Problem } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { scriptPlugin } from './script-plugin.js'
import { FACTORY_START, type CompiledScript } from '../protocol.js'

/** The script itself is at fault: its tests fail, nothing else does. */
export class CompileError extends Error {
  readonly problems: Problem[]

  constructor(problems: Problem[]) {
    super(problems.map(describe).join('\n'))
    this.name = 'CompileError'
    this.problems = problems
  }
}

export interface CompilerOptions {
  root: string
  /** Keeps functions that no test reaches, so that they count as not covered. */
  coverage: boolean
}

/** A script stays what it was when first compiled: what is tested may write files, and must not write its own verdict. */
export class Compiler {
  readonly #options: CompilerOptions
  readonly #scripts = new Map<string, Promise<CompiledScript>>()
  /** Processes know scripts by number. */
  #lastId = 0

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  /** All in one go: one call of the bundler costs much less than many. Mistakes are reported by `get`. */
  prepare(files: string[]): void {
    const wanted = files.filter((file) => !this.#scripts.has(file))
    if (wanted.length < 2) return
    const all = this.#build(wanted).then(
      (built) => built,
      // One bad file fails the batch: then each is compiled on its own, so that the others run.
      () => undefined,
    )
    for (const file of wanted)
      void this.#keep(
        file,
        all.then((built) => built?.get(file) ?? this.#single(file)),
      )
  }

  get(file: string): Promise<CompiledScript> {
    return this.#scripts.get(file) ?? this.#keep(file, this.#single(file))
  }

  #keep(file: string, script: Promise<CompiledScript>): Promise<CompiledScript> {
    // Reported when it is asked for.
    script.catch(() => {})
    this.#scripts.set(file, script)
    return script
  }

  async #single(file: string): Promise<CompiledScript> {
    const built = await this.#build([file])
    const own = built.get(file)
    if (!own) throw new CompileError([{ message: `${file} was not compiled` }])
    return own
  }

  async #build(files: string[]): Promise<Map<string, CompiledScript>> {
    const { root, coverage } = this.#options
    const { build } = await import('esbuild')
    let result: BuildResult<{ write: false; metafile: true }>
    try {
      result = await build({
        absWorkingDir: root,
        entryPoints: files,
        outbase: root,
        outdir: root,
        outExtension: { '.js': '.viva.js' },
        bundle: true,
        write: false,
        metafile: true,
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        packages: 'external',
        sourcemap: 'inline',
        sourcesContent: false,
        charset: 'utf8',
        logLevel: 'silent',
        treeShaking: !coverage,
        loader: { '.py': 'text' },
        define: {
          'import.meta.url': '__viva_url',
          'import.meta.dirname': '__viva_dirname',
          'import.meta.filename': '__viva_filename',
        },
        plugins: [scriptPlugin(root)],
      })
    } catch (error) {
      throw new CompileError(problemsOf(error as BuildFailure))
    }
    return collect(files, result, root, () => ++this.#lastId)
  }
}

function collect(
  files: string[],
  result: BuildResult<{ write: false; metafile: true }>,
  root: string,
  nextId: () => number,
): Map<string, CompiledScript> {
  const byOutput = new Map(result.outputFiles.map((output) => [output.path, output.text]))
  const wanted = new Set(files)
  const built = new Map<string, CompiledScript>()
  for (const [output, meta] of Object.entries(result.metafile.outputs)) {
    const file = meta.entryPoint === undefined ? undefined : resolve(root, meta.entryPoint)
    const code = byOutput.get(join(root, output))
    if (file === undefined || !wanted.has(file) || code === undefined) continue
    built.set(file, { id: nextId(), path: file, code: asFactory(code) })
  }
  return built
}

/** On the same line and before the map, so that no line of the code moves. */
function asFactory(code: string): string {
  const map = code.lastIndexOf('//# sourceMappingURL=')
  const end = map < 0 ? code.length : map
  return `${FACTORY_START}${code.slice(0, end)}\n}\n${code.slice(end)}`
}

function problemsOf(failure: BuildFailure): Problem[] {
  if (!Array.isArray(failure.errors) || failure.errors.length === 0) return [{ message: failure.message }]
  return failure.errors.map(({ text, location }) =>
    defined({
      file: location?.file,
      line: location?.line,
      column: location ? location.column + 1 : undefined,
      message: text,
    }),
  )
}

function describe({ file, line, column, message }: Problem): string {
  return file === undefined ? message : `${file}:${line ?? 1}:${column ?? 1}: ${message}`
}
