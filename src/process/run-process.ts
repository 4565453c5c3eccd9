// Runs a program to its end and collects its output.
import { OutputBuffer, TailBuffer } from '../base/output-buffer.js'
import type { Processes } from './processes.js'
import type { ProcessSpec } from './start-process.js'

export interface RunSpec extends ProcessSpec {
  stdin?: string | Uint8Array
  /** Standard output beyond this ends the process. */
  maxOutputBytes?: number
  onStdout?: (text: string) => void
}

export interface RunResult {
  stdout: string
  stdout_encoding?: 'base64'
  /** The last 64 kB. */
  stderr: string
  exit_code: number | null
  signal: NodeJS.Signals | null
  too_large: boolean
  /** It was ended by the abort signal. */
  aborted: boolean
  leaked: string[]
}

export const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const STDERR_BYTES = 64 * 1024

/** Throws a UserError if the program cannot be started; every other end is a result. */
export async function runProcess(processes: Processes, spec: RunSpec): Promise<RunResult> {
  const running = await processes.start(spec)
  const out = new OutputBuffer(spec.maxOutputBytes ?? MAX_OUTPUT_BYTES)
  const err = new TailBuffer(STDERR_BYTES)
  const decoder = spec.onStdout && new TextDecoder()
  let tooLarge = false

  running.stdout.on('data', (chunk: Buffer) => {
    if (tooLarge) return
    if (out.push(chunk)) {
      if (decoder) spec.onStdout?.(decoder.decode(chunk, { stream: true }))
    } else {
      tooLarge = true
      running.end()
    }
  })
  running.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  running.stdin.end(spec.stdin ?? '')

  const end = await running.done
  const { text, encoding } = out.text()
  return {
    stdout: text,
    ...(encoding && { stdout_encoding: encoding }),
    stderr: err.text(),
    exit_code: end.exitCode,
    signal: end.signal,
    too_large: tooLarge,
    aborted: spec.signal?.aborted === true && end.ended && !tooLarge,
    leaked: end.leaked,
  }
}
