// How often the interval of a skill's benchmark holds the difference that was planted, and how often one is claimed where
// none is: 200 simulated runs a cell, of the public evals of a skill.
//   node bench/skills/run.mjs path/to/evals.json [part of the tries, 1 = all]
import { resolve } from 'node:path'
import { record } from '../support/record.mjs'
import { openDriver } from '../support/open-driver.mjs'

const [, , file, part = '1'] = process.argv
if (!file) throw new Error('name an evals.json')
const tries = Math.ceil(200 * Number(part))
const drive = await openDriver('skills/drive')
const percent = (share) => `${(share * 100).toFixed(1)}%`
const points = (share) => (share * 100).toFixed(0)
const all = [...drive('public', tries, resolve(file)), ...drive('more', tries, resolve(file))]
const isNone = ({ shape }) => shape.startsWith('none')
// In a single cell chance is allowed for; over all of them it is not.
const bar = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / tries)
const missed = []
for (const row of all)
  for (const [name, found] of [
    ['expectations', row.met],
    ['evals', row.passed],
  ]) {
    const where = `${name}: ${row.shape}, ${row.evals} evals × ${row.runs}, together ${row.together}`
    if (found.inside < 0.93) missed.push(`${where}: inside in ${percent(found.inside)}`)
    if (isNone(row) && found.claims > bar) missed.push(`${where}: claimed in ${percent(found.claims)}`)
  }
const none = all.filter(isNone)
for (const name of ['met', 'passed']) {
  const claims = none.reduce((sum, row) => sum + row[name].claims, 0) / none.length
  if (claims > 0.05) missed.push(`${name}: claimed in ${percent(claims)} over all cells without a difference`)
}
const worst = (read) => percent(Math.max(...none.map(read)))
const least = (read) => percent(Math.min(...all.map(read)))
const overall = (read) => percent(all.reduce((sum, row) => sum + read(row), 0) / all.length)
const claimed = (read) => percent(none.reduce((sum, row) => sum + read(row), 0) / none.length)
const lines = all.map(
  ({ shape, evals, runs, together, met, passed, naive }) =>
    `| ${shape} | ${evals} × ${runs} | ${together} | ${percent(met.inside)} | ${percent(met.claims)} | ±${points(met.width / 2)} | ${percent(passed.inside)} | ${percent(passed.claims)} | ±${points(passed.width / 2)} | ${percent(naive.inside)} |`,
)
record(
  'Skills',
  `Made-up agents with and without a skill, on the expectations of a public \`evals.json\`, ${tries} runs a cell. *Together*: how often one number decides all expectations of a run. *Expectations*: the share that is met, as \`benchmark.json\` reports its difference; *evals*: those of which all are met, as the run reports it. Bars: the planted difference inside the interval in at least 93%, claims of a difference where none is planted in at most 5% over all cells (in one cell of ${tries}: ${percent(bar)}, two standard errors more). Over all ${all.length} cells: inside ${overall((row) => row.met.inside)} and ${overall((row) => row.passed.inside)}, at least ${least((row) => row.met.inside)} and ${least((row) => row.passed.inside)}; claimed where there is none ${claimed((row) => row.met.claims)} and ${claimed((row) => row.passed.claims)}, at most ${worst((row) => row.met.claims)} and ${worst((row) => row.passed.claims)}. The last column counts every expectation as if it were independent of the others of its run: why that is not done.

| met, without → with | evals × runs | together | expectations: inside | claimed | width | evals: inside | claimed | width | as independent: inside |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

${missed.length === 0 ? 'No cell misses a bar.' : `Cells beyond a bar: ${missed.join('; ')}.`}`,
)
for (const each of missed) console.error(`missed: ${each}`)
process.exitCode = missed.length > 0 ? 1 : 0
