// How often `viva compare` calls two runs of the same agent a regression, and finds a single broken case: 1,000 pairs a cell.
//   node bench/decisions/plans.mjs [part of the tries, 1 = all]
import { record } from '../support/record.mjs'
import { openDriver } from '../support/open-driver.mjs'

const tries = Math.ceil(1_000 * Number(process.argv[2] ?? 1))
const drive = await openDriver('decisions/drive-plans')
const run = (what) => drive(what, tries)
const percent = (share) => `${(share * 100).toFixed(1)}%`
const bar = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / tries)
const missed = []
const plans = run('plans')
const single = run('single')
for (const row of plans)
  if (row.wrong > bar) missed.push(`${row.plans}, ${row.shape}, ${row.cases} cases: ${percent(row.wrong)}`)
if (single.at(-1).found < 0.99) missed.push(`a broken case with 10 runs: found in ${percent(single.at(-1).found)}`)

const refused = plans.filter((row) => row.refused).map((row) => row.plans)
const tested = plans.filter((row) => !row.refused)
const sizes = [...new Set(tested.map((row) => row.cases))]
const lines = [...new Set(tested.map((row) => `${row.plans} | ${row.shape}`))].map((line) => {
  const cells = sizes.map((cases) =>
    tested.find((row) => `${row.plans} | ${row.shape}` === line && row.cases === cases),
  )
  return `| ${line} | ${cells.map((row) => percent(row.wrong)).join(' | ')} |`
})
record(
  'Run plans',
  `\`viva compare\` between two runs of the same made-up agent, ${tries.toLocaleString('en-US')} pairs a cell, called a regression (bar: 5% plus two standard errors, ${percent(bar)}). \`auto 80/30\`: \`--runs auto --threshold 80 --max-runs 30\`. Refused, so never called one: ${refused.join('; ')}.

| plans | true rates | ${sizes.map((cases) => `${cases} cases`).join(' | ')} |
| --- | --- | ${sizes.map(() => '---').join(' | ')} |
${lines.join('\n')}

One case of 100 that always passed and never does now, while the others pass at 80%, is found:

| runs | found |
| --- | --- |
${single.map((row) => `| ${row.runs} | ${percent(row.found)} |`).join('\n')}`,
)
for (const what of missed) console.error(`missed: ${what}`)
process.exitCode = missed.length > 0 ? 1 : 0
