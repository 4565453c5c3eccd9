// Runs a line of shell with `viva` on the path, as a reader of the documents would.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BIN, type CliOptions, type CliRun } from './run-cli.js'

const SHIMS = fileURLToPath(new URL('../.tmp/shims', import.meta.url))
mkdirSync(SHIMS, { recursive: true })
for (const name of ['viva', 'npx']) {
  // `npx --no-install viva …` is the same; npx is used for nothing else.
  const words = name === 'npx' ? '[ "$1" = --no-install ] && shift\nshift\n' : ''
  const own = join(SHIMS, `${name}-${process.pid}`)
  writeFileSync(own, `#!/bin/sh\n${words}exec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(own, 0o755)
  // In one step: another process may be starting it.
  renameSync(own, join(SHIMS, name))
}

export async function shell(line: string, options: CliOptions): Promise<CliRun> {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', line], {
    cwd: options.cwd,
    env: {
      PATH: `${SHIMS}:${process.env['PATH'] ?? ''}`,
      HOME: options.cwd,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr, dir: options.cwd }))
  })
}
