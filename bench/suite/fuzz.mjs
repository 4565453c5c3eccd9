// What `viva fuzz` finds in ten agents with a known weakness each, and in one without: `node bench/suite/fuzz.mjs [seed…]`.
// The agents were written before the fuzzer (test/fixtures/fuzz). Seeds and budgets are fixed here and printed.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SEEDS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 2, 3, 4, 5]
const TRIES = 60
const ROBUST_TRIES = 100

const folder = mkdtempSync(join(tmpdir(), 'viva-fuzz-bench-'))
cpSync(join(ROOT, 'test/fixtures/fuzz'), folder, { recursive: true })
const { weak, robust } = JSON.parse(readFileSync(join(folder, 'agents.json'), 'utf8'))

console.log(`seeds ${SEEDS.join(', ')}; ${TRIES} tries for each agent, ${ROBUST_TRIES} on the robust one\n`)
let isGood = true
try {
  for (const seed of SEEDS) {
    const rows = []
    for (const agent of weak) rows.push(await examine(agent, seed))
    const found = rows.filter(({ isFound }) => isFound).length
    const runs = rows.reduce((sum, row) => sum + row.runs, 0)
    const budget = rows.reduce((sum, row) => sum + row.budget, 0)
    const alarms = await falseAlarms(seed)
    isGood &&= found >= 8 && rows.every(({ bad }) => bad.length === 0) && alarms === 0
    console.log(
      `seed ${seed}: ${found} of ${weak.length} weaknesses found with ${runs} agent runs (budget ${budget}); ${rows.reduce((sum, { saved }) => sum + saved, 0)} cases saved; ${alarms} false alarms on the robust agent`,
    )
    for (const { name, isFound, bad, operators } of rows)
      console.log(
        `  ${isFound ? 'found ' : 'missed'} ${name} ${operators.join(', ')}${bad.map((text) => `\n    ${text}`).join('')}`,
      )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(isGood ? '\nas claimed' : '\nNOT as claimed')
process.exitCode = isGood ? 0 : 1

/** A weakness is found if a saved case fails alone and passes with the agent that lacks it. */
async function examine({ name, weak: weakTarget, fixed, server }, seed) {
  const cwd = join(folder, name)
  const stop = server && (await start(cwd, server))
  try {
    const origin = stop?.url ?? ''
    const found = join(cwd, 'found.jsonl')
    rmSync(found, { force: true })
    const { out } = await viva(cwd, [
      'fuzz',
      '-i',
      'cases.jsonl',
      '-n',
      `${origin}${weakTarget}`,
      '--seed',
      String(seed),
      '--tries',
      String(TRIES),
      '-o',
      found,
      '--json',
    ])
    const report = JSON.parse(out)
    const saved = existsSync(found) ? readFileSync(found, 'utf8').trim().split('\n') : []
    const bad = []
    for (const line of saved) {
      const alone = join(cwd, 'alone.jsonl')
      writeFileSync(alone, `${line}\n`)
      const before = await viva(cwd, [
        'test',
        '-i',
        alone,
        '-n',
        `${origin}${weakTarget}`,
        '-o',
        'run.jsonl',
        '--force',
      ])
      const after = await viva(cwd, ['test', '-i', alone, '-n', `${origin}${fixed}`, '-o', 'run.jsonl', '--force'])
      if (before.code !== 1 || after.code !== 0) bad.push(`weak ${before.code}, fixed ${after.code}: ${line}`)
    }
    const operators = report.weaknesses.map(({ operator, from }) => `${operator} (${from})`)
    return {
      name,
      isFound: saved.length > bad.length,
      bad,
      saved: saved.length,
      operators,
      runs: report.budget.runs,
      budget: report.budget.most_runs,
    }
  } finally {
    stop?.kill()
  }
}

async function falseAlarms(seed) {
  const { out } = await viva(join(folder, robust.name), [
    'fuzz',
    '-i',
    'cases.jsonl',
    '-n',
    robust.target,
    '--seed',
    String(seed),
    '--tries',
    String(ROBUST_TRIES),
    '--json',
  ])
  const { weaknesses } = JSON.parse(out)
  for (const each of weaknesses) console.log(`  false alarm: ${JSON.stringify(each)}`)
  return weaknesses.length
}

function viva(cwd, args) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/viva.js'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (data) => (out += data))
  child.stderr.on('data', (data) => (err += data))
  return new Promise((done) => {
    child.on('close', (code) => {
      if (code > 1) console.log(`viva ${args.join(' ')} exited with ${code}: ${err}`)
      done({ code, out })
    })
  })
}

async function start(cwd, server) {
  const child = spawn(process.execPath, [server], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((done) => child.stdout.once('data', (data) => done(String(data).trim())))
  return { url, kill: () => child.kill() }
}
