// Measures whole commands: CPU time (user + system, children included), wall time and peak memory.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const TIME = '/usr/bin/time'
if (!existsSync(TIME)) throw new Error('the benchmarks need GNU time at /usr/bin/time (Debian package "time")')

/** CPU by the shell, which counts milliseconds; GNU time cuts off what is below ten, and knows the memory. */
const SCRIPT = `TIMEFORMAT=$'\\nMEASURE %3U %3S'; time ${TIME} -f $'\\nMEMORY %M' "$@"`

/** @returns {Promise<{cpu: number, wall: number, rss: number, code: number, stdout: string, stderr: string}>} seconds, seconds, MB */
export async function measure(command, args, { cwd, env } = {}) {
  const started = performance.now()
  const child = spawn('bash', ['-c', SCRIPT, 'measure', command, ...args], {
    cwd,
    // Reading certificates takes longer than everything else that a Node does at its start.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    if (stdout.length < 1e6) stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr = (stderr + data).slice(-100_000)
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  const wall = (performance.now() - started) / 1000
  const found = /MEMORY (\d+)\s+MEASURE ([\d.]+) ([\d.]+)/.exec(stderr)
  if (!found) throw new Error(`no measurement of ${command} ${args.join(' ')}\n${stderr}`)
  return { cpu: Number(found[2]) + Number(found[3]), rss: Number(found[1]) / 1024, wall, code, stdout, stderr }
}

/** Runs the jobs in turn, `rounds` times, so that a noisy moment hits all of them alike. */
export async function compareJobs(jobs, rounds = 5) {
  const results = new Map(jobs.map((job) => [job.name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const job of jobs) {
      await job.before?.()
      const result = await measure(job.command, job.args, job)
      if (result.code !== (job.code ?? 0)) throw new Error(`${job.name} exited ${result.code}\n${result.stderr}`)
      results.get(job.name).push(result)
    }
  }
  return Object.fromEntries([...results].map(([name, runs]) => [name, summarize(runs)]))
}

export function summarize(runs) {
  const pick = (key) => runs.map((run) => run[key]).toSorted((a, b) => a - b)
  const median = (values) => values[Math.floor(values.length / 2)]
  const cpu = pick('cpu')
  return {
    cpu: median(cpu),
    cpuMin: cpu[0],
    cpuMax: cpu.at(-1),
    wall: median(pick('wall')),
    rss: median(pick('rss')),
    runs: runs.length,
  }
}

export function table(header, rows) {
  const all = [header, ...rows.map((row) => row.map(String))]
  const widths = header.map((_, i) => Math.max(...all.map((row) => row[i].length)))
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  return [
    line(header),
    `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`,
    ...rows.map((row) => line(row.map(String))),
  ].join('\n')
}

export const ratio = (a, b) => `${(a / b).toFixed(2)}×`
export const seconds = (s) => `${s.toFixed(2)} s`
export const mb = (m) => `${Math.round(m)} MB`
