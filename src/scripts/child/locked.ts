// Whatever would let a script read or change our own code in its process is removed before it is loaded: the debugger,
// heap snapshots, V8 flags. Our coverage opens its session first.
import inspector from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import v8 from 'node:v8'
import threads from 'node:worker_threads'

type Refusal = (...args: unknown[]) => never
type Holder = Record<string, unknown>

const MAY_BE_SET = /^--(?:no[-_])?(?:expose[-_]gc|stack[-_]size=\d+|stack[-_]trace[-_]limit=\d+)$/

export function lockDoors(): void {
  const session = inspector.Session.prototype as unknown as Holder
  lock(session, 'inspector.Session', ['connect', 'connectToMainThread', 'post'])
  lock(inspector, 'inspector', ['open', 'waitForDebugger'])
  lock(v8, 'v8', ['getHeapSnapshot', 'writeHeapSnapshot', 'setHeapSnapshotNearHeapLimit', 'queryObjects'])
  lockFlags()
  lockBindings()
  // SIGUSR1 starts the debugger unless there is a listener for it.
  process.on('SIGUSR1', () => {})
  lockThreads()
  syncBuiltinESMExports()
}

function lock(holder: Holder, owner: string, names: string[]): void {
  for (const name of names) {
    if (typeof holder[name] === 'function') fix(holder, name, refusal(`${owner}.${name}`))
  }
}

function fix(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: false, configurable: false, enumerable: true })
}

function refusal(name: string): Refusal {
  return () => {
    throw new Error(`${name} is not available to scripts: their verdicts are decided in the same process`)
  }
}

function lockFlags(): void {
  const { setFlagsFromString } = v8
  const allowed = MAY_BE_SET.exec.bind(MAY_BE_SET)
  const refuse = refusal('this flag of v8.setFlagsFromString')
  fix(v8, 'setFlagsFromString', (flags: unknown) => {
    // oxlint-disable-next-line typescript/no-unnecessary-template-expression -- converted once: what is checked is what is used
    const text = `${flags as string}`
    if (!allowed(text)) refuse()
    setFlagsFromString(text)
  })
}

function lockBindings(): void {
  const given = process as unknown as { binding?(name: string): unknown }
  const { binding } = given
  if (!binding) return
  const bound = binding.bind(process)
  const refuse = refusal("process.binding('inspector')")
  fix(given, 'binding', (name: unknown) => {
    // oxlint-disable-next-line typescript/no-unnecessary-template-expression -- as above
    const text = `${name as string}`
    return text === 'inspector' ? refuse() : bound(text)
  })
}

/** A thread has its own modules, and its debugger reaches this one: it starts by locking them too (see main.ts). */
function lockThreads(): void {
  const { Worker } = threads
  const { construct } = Reflect
  const { isArray } = Array
  const Guarded = function (this: unknown, file: string | URL, options: { execArgv?: unknown } = {}): unknown {
    const given = options.execArgv
    const execArgv: unknown[] = ['--require', __filename]
    if (isArray(given)) for (let at = 0; at < given.length; at++) execArgv[at + 2] = given[at]
    return construct(Worker, [file, { ...options, execArgv }], new.target ?? Worker)
  }
  Guarded.prototype = Worker.prototype
  fix(Worker.prototype, 'constructor', Guarded)
  fix(threads, 'Worker', Guarded)
}
