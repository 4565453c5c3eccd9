// Script tests against `node --test`, and what a synchronous call costs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from '../support/measure.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'
import { buildDriver } from './build-driver.mjs'
import { writeNodeTests, writeScriptTests } from './make-tests.mjs'

const FILES = 100
const TESTS = 10
const BAR = 1
const ROUND_TRIP_BAR_US = 200
const rounds = Number(process.argv[2] ?? 5)

const work = mkdtempSync(join(tmpdir(), 'viva-bench-'))
const folders = [work]
try {
  writeScriptTests(join(work, 'app'), FILES, TESTS)
  writeNodeTests(join(work, 'node-tests'), FILES, TESTS)
  const ours = []
  const theirs = []
  for (let round = 0; round < rounds; round++) {
    // In turn, so that a busy moment of the machine hits both.
    ours.push(await cpuOf([VIVA, 'test', '-i', 'scripts.*', '--app', join(work, 'app')]))
    theirs.push(await cpuOf(['--test', join(work, 'node-tests')]))
  }
  const ratios = ours.map((seconds, round) => seconds / theirs[round])

  const trip = await buildDriver('round-trip')
  folders.push(trip)
  const trips = []
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await measure(process.execPath, [join(trip, 'driver.mjs'), mkdtempSync(join(work, 'trip-'))])
    trips.push(Number(stdout.trim()))
  }

  record(
    'Script tests',
    [
      `${FILES * TESTS} trivial tests in ${FILES} files, CPU of the whole process tree, ${rounds} rounds, median (spread).`,
      '',
      '| what | value | bar |',
      '| --- | --- | --- |',
      `| viva | ${show(ours)} s | |`,
      `| node --test | ${show(theirs)} s | |`,
      `| ratio | ${show(ratios)} | ≤ ${BAR} |`,
      `| a synchronous \`Process\` call (median of 5,000) | ${show(trips)} µs | ≤ ${ROUND_TRIP_BAR_US} µs |`,
    ].join('\n'),
  )
  process.exitCode = median(ratios) <= BAR && median(trips) <= ROUND_TRIP_BAR_US ? 0 : 1
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

async function cpuOf(args) {
  const { cpu, code, stderr } = await measure(process.execPath, args)
  if (code !== 0) throw new Error(`node ${args.join(' ')} exited ${code}\n${stderr}`)
  return cpu
}

function show(values) {
  return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1]
}
