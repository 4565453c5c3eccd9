// Loads the files that most runs need with the code that was compiled for them at build time: half of what a short command
// takes is compiling otherwise. Code of another Node is refused by V8; then Node's own cache helps, if it has one.
const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { basename, dirname, join } = require('node:path')
const vm = require('node:vm')

const DIST = join(__dirname, '../dist')
const FILES = [
  'core.cjs',
  'programs.cjs',
  'scripts.cjs',
  'modules.cjs',
  'calls.cjs',
  'package.cjs',
  'recordings.cjs',
  'recorded.cjs',
  'http.cjs',
]
const SEAL_BYTES = 32

/** `fresh`: compiles anew what a cache would have. `scripts` are those that were run, by path. */
exports.createLoader = function createLoader({ fresh = false } = {}) {
  const scripts = new Map()

  /** From then on `require` finds it, for us and for whoever imports the library in this process. */
  const load = (name) => {
    const path = join(DIST, 'chunks', name)
    if (require.cache[path]) return
    const source = readFileSync(path)
    const cachedData = fresh ? undefined : readCache(path, source)
    const script = (fresh || cachedData) && compile(path, source, cachedData)
    if (!script || script.cachedDataRejected) return Module.enableCompileCache?.(join(DIST, '.compiled'))
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

  return { loadCore: () => load('core.cjs'), scripts }
}

/** What `script` has compiled until now, and where a loader will look for it. */
exports.cacheOf = function cacheOf(path, script) {
  const code = script.createCachedData()
  return { path: `${path}.cache`, data: Buffer.concat([sealOf(path, readFileSync(path), code), code]) }
}

function compile(path, source, cachedData) {
  return new vm.Script(Module.wrap(source.latin1Slice()), { filename: path, cachedData })
}

function readCache(path, source) {
  try {
    const data = readFileSync(`${path}.cache`)
    const code = data.subarray(SEAL_BYTES)
    return sealOf(path, source, code).equals(data.subarray(0, SEAL_BYTES)) ? code : undefined
  } catch {
    return undefined
  }
}

/** V8 asks no more than the length of a text. Its code carries the place it was made at, and damaged code would crash it. */
function sealOf(path, source, code) {
  return createHash('sha256').update(path).update(source).update(code).digest()
}
