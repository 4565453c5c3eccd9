// A script and what it imports → one piece of code for a child process, with a map back to the user's lines.
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BuildFailure, BuildResult } from 'esbuild'
import type { Problem } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { scriptPlugin } from './script-plugin.js'
import { FACTORY_START, type CompiledScript } from '../protocol.js'
import { siblingPlaces } from './sibling.js'
import { epochNow } from '../../time/iso-now.js'

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

interface Entry {
  script: Promise<CompiledScript>
  inputs: Map<string, string>
  /** When it was compiled: a file changed in the same moment is compared by content. */
  madeAt: number
}

const NONE: CompiledScript = { id: 0, path: '', code: '' }

/** File times are coarse: within this long after a change, an equal time proves nothing. */
const RACY_MS = 50

export class Compiler {
  readonly #options: CompilerOptions
  readonly #entries = new Map<string, Entry>()
  /** Processes know scripts by number. */
  #lastId = 0

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  /** All in one go: one call of the bundler costs much less than many. Mistakes come out in `get`. */
  prepare(files: string[]): void {
    const wanted = files.filter((file) => !this.#entries.has(file))
    if (wanted.length < 2) return
    const all = this.#build(wanted).then(
      (built) => built,
      // One bad file spoils the lot: then each on its own, so that the others run.
      () => undefined,
    )
    for (const file of wanted) {
      const entry: Entry = { inputs: new Map(), madeAt: epochNow(), script: Promise.resolve(NONE) }
      entry.script = all.then((built) => {
        const own = built?.get(file)
        if (!own) return this.#single(file, entry)
        entry.inputs = own.inputs
        return own.script
      })
      // Reported by whoever asks for it.
      entry.script.catch(() => {})
      this.#entries.set(file, entry)
    }
  }

  async get(file: string): Promise<CompiledScript> {
    const known = this.#entries.get(file)
    if (known) {
      const script = await known.script.catch(() => undefined)
      if (script && isFresh(known)) return script
    }
    const entry: Entry = { inputs: new Map(), madeAt: epochNow(), script: Promise.resolve(NONE) }
    entry.script = this.#single(file, entry)
    this.#entries.set(file, entry)
    return entry.script
  }

  async #single(file: string, entry: Entry): Promise<CompiledScript> {
    const built = await this.#build([file])
    const own = built.get(file)
    if (!own) throw new CompileError([{ message: `${file} was not compiled` }])
    entry.inputs = own.inputs
    return own.script
  }

  async #build(files: string[]): Promise<Map<string, { script: CompiledScript; inputs: Map<string, string> }>> {
    const { root, coverage } = this.#options
    const { build } = await import('esbuild')
    const read = new Map<string, string>()
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
        define: {
          'import.meta.url': '__viva_url',
          'import.meta.dirname': '__viva_dirname',
          'import.meta.filename': '__viva_filename',
        },
        plugins: [scriptPlugin(root, read)],
      })
    } catch (error) {
      throw new CompileError(problemsOf(error as BuildFailure))
    }
    return collect(files, result, read, root, () => ++this.#lastId)
  }
}

function collect(
  files: string[],
  result: BuildResult<{ write: false; metafile: true }>,
  read: Map<string, string>,
  root: string,
  nextId: () => number,
): Map<string, { script: CompiledScript; inputs: Map<string, string> }> {
  const byOutput = new Map(result.outputFiles.map((output) => [output.path, output.text]))
  const wanted = new Set(files)
  const built = new Map<string, { script: CompiledScript; inputs: Map<string, string> }>()
  for (const [output, meta] of Object.entries(result.metafile.outputs)) {
    const file = meta.entryPoint === undefined ? undefined : resolve(root, meta.entryPoint)
    const code = byOutput.get(join(root, output))
    if (file === undefined || !wanted.has(file) || code === undefined) continue
    const inputs = new Map<string, string>()
    for (const input of [
      ...Object.keys(meta.inputs).map((name) => resolve(root, name)),
      file,
      ...siblingPlaces(file),
    ]) {
      if (input.includes('viva-globals:')) continue
      inputs.set(input, `${stampOf(input)}\n${read.get(input) ?? ''}`)
    }
    built.set(file, { script: { id: nextId(), path: file, code: asFactory(code) }, inputs })
  }
  return built
}

/** On the same line and before the map, so that no line of the code moves. */
function asFactory(code: string): string {
  const map = code.lastIndexOf('//# sourceMappingURL=')
  const end = map < 0 ? code.length : map
  return `${FACTORY_START}${code.slice(0, end)}\n}\n${code.slice(end)}`
}

/** Nothing that went into it has changed since. */
function isFresh(entry: Entry): boolean {
  for (const [file, known] of entry.inputs) {
    const split = known.indexOf('\n')
    const stamp = stampOf(file)
    if (stamp !== known.slice(0, split)) return false
    const changedAt = Number(stamp.split(' ')[0])
    if (entry.madeAt - changedAt < RACY_MS && readOrEmpty(file) !== known.slice(split + 1)) return false
  }
  return true
}

/** Absent files are part of it: a sibling that appears later changes what a test sees. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${Math.max(stat.mtimeMs, stat.ctimeMs)} ${stat.size} ${stat.ino}` : '0 absent'
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
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
