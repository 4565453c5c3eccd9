// undici reads answers with a parser in WebAssembly. Compiling that a second time, optimised, takes more CPU than it saves
// in ten thousand calls, and in this process there is no other WebAssembly: users' code runs elsewhere.
import { setFlagsFromString } from 'node:v8'

/** Before the parser is loaded. */
export function keepWasmPlain(): void {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
