// What opening a source of cases needs to know.
import type { Readable } from 'node:stream'
import type { CheckOptions } from './check-values.js'

export interface OpenSourceOptions extends CheckOptions {
  cwd: string
  stdin?: Readable
  /** What is checked in the answer to a message. */
  message?: MessageChecks
  /** Checks of what the cases of a file refer to, resolved from the folder of that file. */
  checksIn?(dir: string): CheckOptions
}

export interface OpenFileOptions extends OpenSourceOptions {
  /** The name of the input if it is a folder or a glob; its file is named in errors. */
  label?: string
  /** It is one of many; `keep`: it may be kept in memory. */
  oneOf?: { shown: string; keep: boolean }
}

/** `--expected` and `--criterion`. */
interface MessageChecks {
  expected?: string | undefined
  criterion: readonly string[]
}
