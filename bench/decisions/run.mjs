// How often decisions about made-up agents are right: 2,000 tries of `viva diff`'s rule, 1,000 best sets, 200 pairs of
// behaviour. Takes some minutes.
//   node bench/decisions/run.mjs [part of the tries, 1 = all]
import { record } from '../support/record.mjs'
import { openDriver } from '../support/open-driver.mjs'

const part = Number(process.argv[2] ?? 1)
const drive = await openDriver('decisions/drive')
const run = (what, tries) => drive(what, Math.ceil(tries * part))
const percent = (share) => `${(share * 100).toFixed(1)}%`
const count = (tries) => Math.ceil(tries * part).toLocaleString('en-US')
const missed = []
const check = (holds, what) => {
  if (!holds) missed.push(what)
}

const found = run('found', 2_000)
for (const row of found) check(row.three >= 0.95, `90% → 70% ${row.how}: found in ${percent(row.three)}`)
const unchanged = run('unchanged', 2_000)
for (const row of unchanged) {
  const name = `unchanged, ${row.shape}, ${row.cases} cases, ${percent(row.lost)} lost`
  check(row.worse <= 0.025, `${name}: worse in ${percent(row.worse)}`)
  if (row.cases === 100 && row.lost === 0) check(row.notWorse >= 0.9, `${name}: not worse in ${percent(row.notWorse)}`)
}
const margin = run('margin', 2_000)
for (const row of margin)
  for (const how of ['spread', 'concentrated'])
    check(row[how] <= 0.025, `at the margin, ${row.shape}, ${row.cases} cases, ${how}: ${percent(row[how])}`)
const best = run('best', 1_000)
for (const row of best) check(row.kept >= 0.95 && row.out >= 0.95, `best set at ${row.rate}, ${row.second}`)
const behaviour = run('behaviour', 200)
for (const row of behaviour) {
  const isSame = row.how.startsWith('the same')
  if (isSame) check(row.drifted <= 0.05, `${row.how}, ${row.runs} runs: drift in ${percent(row.drifted)}`)
  else if (row.runs === 3) check(row.drifted >= 0.95, `${row.how}: drift in ${percent(row.drifted)}`)
}
const speed = run('speed', 1)
check(speed[0][1] < 1_000, `a decision took ${speed[0][1]} ms`)

record(
  'Decisions',
  `Made-up agents whose true pass rates are known, fixed seeds. Looks after 1, 2, 3, 5, 8, 13, 21 and 30 runs, margin 5 points, each claim 2.5% one-sided over all looks.

90% → 70% on 100 cases, ${count(2_000)} tries, called *worse* (bar: ≥ 95% at 3 runs):

| loss | by 1 run | by 2 runs | by 3 runs | mean runs |
| --- | --- | --- | --- | --- |
${found.map((row) => `| ${row.how} | ${percent(row.one)} | ${percent(row.two)} | ${percent(row.three)} | ${row.runs.toFixed(2)} |`).join('\n')}

An unchanged agent, ${count(2_000)} tries each (bars: *worse* ≤ 2.5%; *not worse* ≥ 90% within 30 runs on 100 cases, none lost):

| true rates | cases | lost runs | worse | not worse | mean runs |
| --- | --- | --- | --- | --- | --- |
${unchanged.map((row) => `| ${row.shape} | ${row.cases} | ${percent(row.lost)} | ${percent(row.worse)} | ${percent(row.notWorse)} | ${row.runs.toFixed(1)} |`).join('\n')}

An agent worse by the margin, ${count(2_000)} tries each, called *not worse* all the same (bar: ≤ 2.5%):

| true rates | cases | spread evenly | in few cases |
| --- | --- | --- | --- |
${margin.map((row) => `| ${row.shape} | ${row.cases} | ${percent(row.spread)} | ${percent(row.concentrated)} |`).join('\n')}

Best set of three variants, ${count(1_000)} tries each, 100 cases × 3 runs (bars: ≥ 95%):

| best | second | third | the best is in | the third is out |
| --- | --- | --- | --- | --- |
${best.map((row) => `| ${row.rate} | ${row.second.toFixed(2)} | ${row.third.toFixed(2)} | ${percent(row.kept)} | ${percent(row.out)} |`).join('\n')}

Behaviour, ${count(200)} pairs of agents with equal pass rates, 50 cases (bars at 3 runs: ≥ 95% found, ≤ 5% false alarms):

| the other agent | runs | called changed |
| --- | --- | --- |
${behaviour.map((row) => `| ${row.how} | ${row.runs} | ${percent(row.drifted)} |`).join('\n')}

${speed.map(([what, ms]) => `${what}: ${Math.round(ms)} ms of CPU`).join('; ')} (bar for a decision: 1 s).`,
)
for (const what of missed) console.error(`missed: ${what}`)
process.exitCode = missed.length > 0 ? 1 : 0
