// undici parses answers with WebAssembly. Compiling that a second time, optimised, takes more CPU than it saves
// in ten thousand calls, and in this process there is no other WebAssembly: users' code runs elsewhere.
import { setFlagsFromString } from 'node:v8'
import { isTried } from './v8-flags.js'

/**
 * After everything is loaded and before the parser is compiled: V8 refuses code that was precompiled under other flags,
 * ours and Node's own.
 */
export function keepWasmPlain(): void {
  if (!isTried(Number.parseInt(process.versions.v8, 10))) return
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
