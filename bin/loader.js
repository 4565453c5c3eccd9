// Loads the files that most runs need with the code that was compiled for them at build time: half of what a short command
// takes is compiling otherwise. Code of another Node is refused by V8; then Node's own cache helps, if it has one.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { basename, dirname, join } = require('node:path')
const vm = require('node:vm')

const CHUNKS = join(__dirname, '../dist/chunks')
const FILES = ['core.cjs', 'package.cjs']

/** `fresh`: compiles anew what a cache would have. `scripts` are those that were run, by path. */
exports.createLoader = function createLoader({ fresh = false } = {}) {
  const scripts = new Map()

  /** From then on `require` finds it, for us and for whoever imports the library in this process. */
  const load = (name) => {
    const path = join(CHUNKS, name)
    if (require.cache[path]) return
    const script = compile(path, fresh ? undefined : readCache(path))
    if (!fresh && script?.cachedDataRejected !== false) return Module.enableCompileCache?.()
    scripts.set(path, script)
    const chunk = new Module(path)
    chunk.filename = path
    require.cache[path] = chunk
    const requireChunk = requireFrom(path)
    script.runInThisContext().call(chunk.exports, chunk.exports, requireChunk, chunk, path, dirname(path))
    chunk.loaded = true
  }

  const requireFrom = (path) => {
    const usual = Module.createRequire(path)
    return (id) => {
      if (id.startsWith('./') && FILES.includes(basename(id))) load(basename(id))
      return usual(id)
    }
  }

  const compile = (path, cachedData) =>
    cachedData === undefined && !fresh
      ? undefined
      : new vm.Script(Module.wrap(readFileSync(path, 'utf8')), { filename: path, cachedData })

  return { loadCore: () => load('core.cjs'), scripts }
}

exports.cacheOf = (path) => `${path}.cache`

function readCache(path) {
  try {
    return readFileSync(exports.cacheOf(path))
  } catch {
    return undefined
  }
}
