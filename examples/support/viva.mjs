// Runs viva as a reader of the README would and hands back what happened to each case.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))

/**
 * `from` is the `import.meta.url` of the example's check; the command runs in its folder.
 * @returns {Promise<{code: number, results: Record<string, any>, all: any[], summary: any, output: string}>} `all`: of every variant.
 */
export async function viva(from, args, env = {}) {
  const cwd = dirname(fileURLToPath(from))
  const folder = mkdtempSync(join(tmpdir(), 'viva-example-'))
  const events = join(folder, 'events.jsonl')
  try {
    const { code, output } = await run([BIN, 'test', ...args, '-o', events], cwd, env)
    const lines = readFileSync(events, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
    const all = lines.filter((line) => line.type === 'result')
    const results = Object.fromEntries(all.map((line) => [line.id, line]))
    return { code, results, all, summary: lines.find((line) => line.type === 'summary'), output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The run must have passed, with this many cases; what went wrong otherwise is shown. */
export async function mustPass(from, args, cases, env = {}) {
  const result = await viva(from, args, env)
  if (result.code !== 0 || result.summary?.passed !== cases) {
    console.error(result.output)
    throw new Error(`viva test ${args.join(' ')}: exit code ${result.code}, ${result.summary?.passed} of ${cases} passed`)
  }
  return result
}

/** Starts a server of the example (a module that prints the port it listens on), and ends it with `stop`. */
export async function startServer(from, script) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, from))], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (data) => {
      text += data
      const found = /:(\d+)/.exec(text)
      if (found) resolve(found[1])
    })
    child.on('exit', (code) => reject(new Error(`${script} ended with ${code} before it listened`)))
  })
  return { port, stop: () => child.kill() }
}

async function run(args, cwd, env) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, output }
}
