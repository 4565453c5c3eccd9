// Loaded into Viva with `--import`: the Nth file operation below FAULT_PATH fails, comes up short, or is its last.
// FAULT is `N:MODE`, MODE an error code, `short` or `kill`; `fsync:MODE` means every fsync. What fired goes to FAULT_REPORT.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'

const { FAULT = '', FAULT_PATH = '', FAULT_REPORT = '' } = process.env
const [which, mode] = FAULT.split(':')
const root = resolve(FAULT_PATH) + sep
const real = { ...fs }
const paths = new Map()
let count = 0
let full = false

const isOurs = (path) => typeof path === 'string' && resolve(path).startsWith(root)
const pathOf = (target) => (typeof target === 'number' ? paths.get(target) : isOurs(target) ? target : undefined)

function failure(code, operation, path) {
  return Object.assign(new Error(`${code}: injected, ${operation} '${path}'`), {
    code,
    errno: -1,
    syscall: operation,
    path,
  })
}

/** What to do with this operation: nothing, or the mode. */
function fires(operation, path) {
  if (path === undefined) return false
  if (which === 'fsync') return operation.startsWith('fsync') || operation === 'sync' ? report(operation, path) : false
  count += 1
  return count === Number(which) ? report(operation, path) : false
}

function report(operation, path) {
  real.appendFileSync(FAULT_REPORT, `${operation} ${path.slice(root.length)}\n`)
  return true
}

function strike(operation, path) {
  if (mode === 'kill') process.kill(process.pid, 'SIGKILL')
  throw failure(mode === 'short' ? 'ENOSPC' : mode, operation, path)
}

function patch(name, pathFrom, after) {
  const original = real[name]
  fs[name] = (...args) => {
    const path = pathFrom(args)
    if (fires(name, path)) strike(name, path)
    const result = original(...args)
    after?.(result, path)
    return result
  }
}

const first = ([target]) => pathOf(target)
patch('openSync', first, (fd, path) => (path === undefined ? paths.delete(fd) : paths.set(fd, path)))
for (const name of [
  'fstatSync',
  'ftruncateSync',
  'fsyncSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'readFileSync',
  'appendFileSync',
])
  patch(name, first)
patch('closeSync', first)

fs.writeSync = (fd, buffer, offset, length, position) => {
  const path = pathOf(fd)
  if (path !== undefined && full) throw failure('ENOSPC', 'write', path)
  if (!fires('writeSync', path)) return real.writeSync(fd, buffer, offset, length, position)
  if (mode !== 'short' && mode !== 'kill') strike('write', path)
  const bytes = typeof buffer === 'string' ? Buffer.from(buffer) : buffer.subarray(offset, offset + length)
  const half = real.writeSync(fd, bytes, 0, Math.ceil(bytes.length / 2), typeof buffer === 'string' ? null : position)
  if (mode === 'kill') process.kill(process.pid, 'SIGKILL')
  // A full disk takes a part first and says no the next time.
  full = true
  return half
}

fs.fsync = (fd, callback) => {
  const path = pathOf(fd)
  if (!fires('fsync', path)) return real.fsync(fd, callback)
  if (mode === 'kill') process.kill(process.pid, 'SIGKILL')
  setImmediate(() => callback(failure(mode, 'fsync', path)))
}

const promises = { ...fs.promises }
for (const name of ['rename', 'rm', 'stat', 'realpath']) {
  fs.promises[name] = async (...args) => {
    const path = pathOf(args[0])
    if (fires(name, path)) strike(name, path)
    return promises[name](...args)
  }
}
fs.promises.open = async (...args) => {
  const path = pathOf(args[0])
  if (fires('open', path)) strike('open', path)
  const handle = await promises.open(...args)
  if (path !== undefined) for (const name of ['appendFile', 'sync', 'chmod', 'close']) patchHandle(handle, name, path)
  return handle
}

function patchHandle(handle, name, path) {
  const original = handle[name].bind(handle)
  handle[name] = async (...args) => {
    if (!fires(name, path)) return original(...args)
    if (name === 'appendFile' && (mode === 'short' || mode === 'kill'))
      await original(args[0].slice(0, args[0].length / 2))
    return strike(name, path)
  }
}

syncBuiltinESMExports()
