// Tricks of script tests. Each is the first half of a test that then fails: whatever it did, the test has failed.

export interface Trick {
  what: string
  code: string
  /** What the failure says, where it is not the assertion after the trick. */
  error?: RegExp
}

const VERDICT = `{ k: 'verdict', index: 0, verdict: { status: 'passed', duration_ms: 1 } }`

/** Writes a frame to the private channel, then never ends. */
const WRITE_FRAME = `const writeFrame = (seal, body) => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(32 + body.length, 0)
    fs.writeSync(3, Buffer.concat([head, Buffer.from(seal), body]))
    while (true) {}
  }`

const CAUGHT = /private channel/
const LOCKED = /is not available to scripts/

export const CHANNEL_TRICKS: Trick[] = [
  {
    what: 'writes a verdict with a seal of its own',
    code: `${WRITE_FRAME}; writeFrame('0'.repeat(32), v8.serialize(${VERDICT}))`,
    error: CAUGHT,
  },
  {
    what: 'writes noise to the private channel',
    code: `fs.writeSync(3, Buffer.alloc(5000, 255)); while (true) {}`,
    error: CAUGHT,
  },
  {
    what: 'sends a frame again that it has seen',
    code: `const typed = Object.getPrototypeOf(Uint8Array.prototype)
  const { get } = Object.getOwnPropertyDescriptor(typed, 'byteLength')
  const frames = []
  Object.defineProperty(typed, 'byteLength', { configurable: true, get() { frames.push(this); return get.call(this) } })
  t.log('something')
  Object.defineProperty(typed, 'byteLength', { configurable: true, get })
  fs.writeSync(3, frames[0])
  while (true) {}`,
    error: CAUGHT,
  },
  {
    what: 'looks for the key in every buffer it can get hold of',
    code: `${WRITE_FRAME}
  const typed = Object.getPrototypeOf(Uint8Array.prototype)
  const real = Object.getOwnPropertyDescriptors(typed)
  const memories = new Set([Buffer.from('x').buffer, Buffer.allocUnsafe(1).buffer])
  const views = []
  let looking = true
  const note = (view) => {
    if (!looking) return
    looking = false
    memories.add(real.buffer.get.call(view))
    views.push(view)
    looking = true
  }
  for (const name of ['byteLength', 'length', 'buffer', 'byteOffset']) {
    const { get } = real[name]
    Object.defineProperty(typed, name, { configurable: true, get() { note(this); return get.call(this) } })
  }
  for (const name of ['set', 'subarray', 'fill', 'slice']) {
    const method = typed[name]
    typed[name] = function (...args) { note(this); return method.apply(this, args) }
  }
  class Spy extends Uint8Array { constructor(...args) { super(...args); note(this) } }
  for (const owner of [Uint8Array, Buffer]) Object.defineProperty(owner, Symbol.species, { configurable: true, get: () => Spy })
  Buffer.prototype.constructor = Uint8Array.prototype.constructor = Spy
  globalThis.Uint8Array = Spy
  const { alloc } = Buffer
  Buffer.allocUnsafe = Buffer.allocUnsafeSlow = Buffer.alloc = (size) => new Spy(size)
  crypto.hash = (...args) => { note(args[1]); throw new Error('no') }
  t.log('something')
  looking = false
  Buffer.alloc = alloc
  Object.defineProperties(typed, real)
  const frame = views.find((view) => view.length > 36 && /^[0-9a-f]{32}$/.test(Buffer.from(view.slice(4, 36)).toString()))
  const seal = Buffer.from(frame.slice(4, 36)).toString()
  const body = Buffer.from(frame.slice(36))
  t.log('memories', memories.size, 'body', body.length)
  const sealOf = (key, count, text) => {
    const number = Buffer.alloc(6)
    number.writeUIntLE(count, 0, 6)
    return crypto.createHash('sha256').update(key).update(number).update(text).digest('hex').slice(0, 32)
  }
  for (const memory of memories) {
    const bytes = Buffer.from(memory)
    for (let at = 0; at + 32 <= bytes.length; at++) {
      if (bytes.readInt32LE(at) === 0) continue
      for (let count = 0; count < 6; count++) {
        const key = bytes.subarray(at, at + 32)
        if (sealOf(key, count, body) !== seal) continue
        const forged = v8.serialize(${VERDICT})
        writeFrame(sealOf(key, count + 1, forged), forged)
      }
    }
  }`,
  },
  {
    what: 'replaces what messages are made with',
    code: `fs.writeSync = () => 0
  try { v8.Serializer.prototype.writeValue = function () {} } catch {}
  try { v8.DefaultSerializer.prototype.writeHeader = function () {} } catch {}
  v8.serialize = () => Buffer.alloc(0)
  Uint8Array.prototype.set = () => {}
  String.prototype.charCodeAt = () => 48
  process.reallyExit = () => {}`,
  },
  {
    what: 'answers for the host out of a Map',
    code: `Map.prototype.get = () => ({ k: 'reply', id: 1, value: true })
  Map.prototype.has = () => true
  t.assert.Match('a', '(?i)b', 'really')`,
  },
  { what: 'opens the debugger', code: `new (require('node:inspector').Session)().connect()`, error: LOCKED },
  {
    what: 'opens the debugger by every other name',
    code: `const refused = []
  const wants = [
    async () => new (await import('node:inspector')).Session().connect(),
    async () => new (await import('node:inspector/promises')).Session().connect(),
    async () => new (process.getBuiltinModule('inspector').Session)().connect(),
    async () => new (process.mainModule.require('inspector').Session)().connect(),
    async () => require('node:inspector').open(0),
    async () => new (process.binding('inspector').Connection)(() => {}),
    async () => process.binding({ toString: () => 'inspector' }),
  ]
  for (const want of wants) await want().catch((error) => refused.push(error.message))
  t.assert.Len(refused, wants.length, 'all are refused')`,
  },
  {
    what: 'has a signal open the debugger',
    code: `process.kill(process.pid, 'SIGUSR1')
  process._debugProcess?.(process.pid)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
  t.assert.Nil(require('node:inspector').url(), 'the debugger is open')`,
  },
  {
    what: 'debugs its own test from a thread',
    code: `const { Worker } = require('node:worker_threads')
  const source = \`const { Session } = require('node:inspector')
    let said = 'connected'
    try { new Session().connectToMainThread() } catch (error) { said = error.message }
    require('node:worker_threads').parentPort.postMessage(said)\`
  const ask = (Class, options) => new Promise((resolve, reject) => {
    const worker = new Class(source, { eval: true, ...options })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  for (const Class of [Worker, Worker.prototype.constructor, (await import('node:worker_threads')).Worker])
    for (const options of [{}, { execArgv: [] }])
      t.assert.Contains(await ask(Class, options), 'not available to scripts', 'a thread has a debugger')`,
  },
  {
    what: 'looks for the key in a picture of the heap',
    code: `const refused = []
  const wants = [
    () => v8.writeHeapSnapshot(),
    () => v8.getHeapSnapshot(),
    () => v8.queryObjects?.(Uint8Array, { format: 'summary' }) ?? v8.getHeapSnapshot(),
    () => v8.setFlagsFromString('--allow-natives-syntax'),
    () => process.getBuiltinModule('v8').writeHeapSnapshot(),
  ]
  for (const want of wants) try { want() } catch (error) { refused.push(error.message) }
  t.assert.Len(refused, wants.length, 'all are refused')`,
  },
]

/** Replaced when the verdict is made; those of single functions are in builtins.test.ts. */
export const BUILT_IN_TRICKS: Trick[] = [
  {
    what: 'answers for every promise',
    code: `Promise.prototype.then = function (done) { done?.(); return this }; await null`,
  },
  {
    what: 'gives every promise a class that settles at once',
    code: `class Settled { constructor(start) { start(() => {}, () => {}) } then(done) { done?.() } }
  Promise.prototype.constructor = { [Symbol.species]: Settled }
  Object.defineProperty(Promise, Symbol.species, { value: Settled })
  t.run('part', async (s) => { await null; await null; s.assert.Equal(1, 2, 'really') })
  await null`,
    error: /really/,
  },
  {
    what: 'replaces the classes themselves',
    code: `for (const name of ['Map', 'Set', 'Promise', 'Error', 'RegExp', 'Array', 'Boolean', 'String', 'Number', 'Symbol', 'URL', 'Uint8Array', 'ArrayBuffer', 'WeakSet'])
    globalThis[name] = class { constructor() { return { failed: false } } static isArray() { return true } }`,
  },
  {
    what: 'says that everything is an instance',
    code: `for (const type of [Error, Map, Set, Date, RegExp, Promise, Array, Object])
    Object.defineProperty(type, Symbol.hasInstance, { value: () => true })`,
  },
  {
    what: 'catches what is set on any object',
    code: `for (const name of ['failed', 'error', 'passed', 'status', 'ran', 'ended', 'assertion', 'stack', 'k', 'verdict', 'value', 'errorKind', 'first'])
    Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, get: () => undefined, set() {} })`,
  },
  {
    what: 'has assertions of its own for the next t',
    code: `Object.defineProperty(Object.prototype, 'Equal', { configurable: true, get: () => () => true, set() {} })
  Object.defineProperty(Object.prototype, 'get', { configurable: true, value: () => () => true })
  t.run('part', (s) => { s.assert.Equal(1, 2, 'really') })`,
    error: /really/,
  },
  {
    what: 'catches what is put into any list',
    code: `for (let index = 0; index < 50; index++)
    Object.defineProperty(Array.prototype, index, { configurable: true, get: () => undefined, set() {} })`,
  },
  {
    what: 'throws when a stack is written',
    code: `Error.prepareStackTrace = () => { throw new Error('no stack') }
  try { t.assert.Equal(1, 2, 'really') } catch {}`,
  },
  {
    what: 'writes stacks that are no text',
    code: `Error.prepareStackTrace = () => ({ split: () => { throw new Error('no') } }); Error.stackTraceLimit = -1`,
  },
  {
    what: 'never runs what runs in the course of a test',
    code: `const { AsyncLocalStorage } = require('node:async_hooks')
  AsyncLocalStorage.prototype.run = () => undefined
  AsyncLocalStorage.prototype.getStore = () => undefined
  t.run('part', (s) => { s.assert.Equal(1, 2, 'really') })`,
    error: /really/,
  },
  {
    what: 'iterates over nothing',
    code: `Array.prototype[Symbol.iterator] = function* () {}
  Map.prototype[Symbol.iterator] = Map.prototype.entries = function* () {}
  Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })
  t.run('part', (s) => { s.assert.Equal([1], [2], 'really') })`,
    error: /really/,
  },
  {
    what: 'throws something that throws when it is looked at',
    code: `throw new Proxy(new Error('x'), { get() { throw new Error('no') }, has() { throw new Error('no') }, getPrototypeOf() { throw new Error('no') } })`,
    error: /cannot be shown/,
  },
  {
    what: 'compares values that throw when they are shown',
    code: `const odd = { get a() { return 1 }, [require('node:util').inspect.custom]() { throw new Error('no') }, toJSON() { throw new Error('no') } }
  try { t.assert.Equal(odd, { a: 2 }, 'really') } catch {}
  try { t.assert.Equal(odd, { a: 2 }) } catch {}`,
  },
  {
    what: 'returns a promise that settles early',
    code: `const late = new Promise((resolve) => setTimeout(resolve, 20)).then(() => t.assert.Equal(1, 2, 'really'))
  Promise.prototype.then = function (done) { done?.(); return this }
  await late`,
  },
  {
    what: 'stops the clocks',
    code: `globalThis.setImmediate = globalThis.setTimeout = process.nextTick = globalThis.queueMicrotask = () => {}
  process.hrtime.bigint = () => 0n
  await null`,
  },
  {
    what: 'takes our listeners away',
    code: `process.removeAllListeners(); process.exit = () => {}; process.on('exit', () => process.reallyExit(0)); process.exitCode = 0`,
  },
  {
    what: 'finds what is known about it in its promises',
    code: `const { executionAsyncResource } = require('node:async_hooks')
  const seen = new Set()
  const clear = (value, depth) => {
    if (typeof value !== 'object' || value === null || seen.has(value) || depth > 6) return
    seen.add(value)
    for (const key of Reflect.ownKeys(value)) {
      try { if (key === 'failed') value.failed = false; if (key === 'ran') value.skipped = true } catch {}
      try { clear(value[key], depth + 1) } catch {}
    }
  }
  t.assert.Equal(1, 2, 'really')
  for (const start of [Promise.resolve(), executionAsyncResource(), new Promise(() => {}), setTimeout(() => {}, 0)]) clear(start, 0)
  await null
  clear(executionAsyncResource(), 0)
  return`,
  },
  {
    what: 'ends its process in a finally',
    code: `try { t.assert.Equal(1, 2, 'really') } finally { process.exitCode = 0; process.reallyExit(0) }`,
    error: /exited before reporting \(exit code 0\)/,
  },
]
