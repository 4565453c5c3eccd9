// Loads the one file that every run needs with the code that was compiled for it at build time: half of what a short
// command takes is compiling otherwise. Code of another Node is refused by V8; then Node's own cache helps, if it has one.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const vm = require('node:vm')

const CORE = join(__dirname, '../dist/chunks/core.cjs')
const CACHE = `${CORE}.cache`

exports.CACHE = CACHE

exports.loadCore = function loadCore() {
  const cachedData = readCache()
  const script = cachedData && compile(cachedData)
  if (script?.cachedDataRejected !== false) Module.enableCompileCache?.()
  else run(script)
}

/** Like `loadCore`, but compiles it anew; the script can tell later what was compiled in the meantime. */
exports.loadUncached = function loadUncached() {
  const script = compile(undefined)
  run(script)
  return script
}

function readCache() {
  try {
    return readFileSync(CACHE)
  } catch {
    return undefined
  }
}

function compile(cachedData) {
  return new vm.Script(Module.wrap(readFileSync(CORE, 'utf8')), { filename: CORE, cachedData })
}

/** From here on `require` finds it, for us and for whoever imports the library in this process. */
function run(script) {
  const core = new Module(CORE)
  core.filename = CORE
  require.cache[CORE] = core
  script.runInThisContext().call(core.exports, core.exports, Module.createRequire(CORE), core, CORE, dirname(CORE))
  core.loaded = true
}
