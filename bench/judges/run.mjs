// Rates that rest on a judge: bias, coverage and width against labels alone, on simulated judges and on those that LLMBar has stored.
//   node bench/judges/run.mjs [judge-verdicts.json]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDriver } from '../support/open-driver.mjs'
import { ROOT } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const file = process.argv[2] ?? join(ROOT, '../shared/data/public/llmbar/judge-verdicts-even.json')
const drive = await openDriver('judges/drive')
const percent = (share) => `${(share * 100).toFixed(1)}%`
const missed = []
const check = (holds, what) => {
  if (!holds) missed.push(what)
}

const ppi = drive('ppi', 2_000)
for (const row of ppi) {
  const name = `labels, rate ${row.rate}, ${row.sensitivity}/${row.specificity}`
  check(Math.abs(row.bias) <= 0.01, `${name}: bias ${percent(row.bias)}`)
  check(row.coverage >= 0.93, `${name}: coverage ${percent(row.coverage)}`)
}
const carried = drive('carried', 2_000)
for (const row of carried.filter(({ sensitivity, specificity }) => sensitivity + specificity >= 1.5)) {
  const name = `licence, rate ${row.rate}, ${row.sensitivity}/${row.specificity}`
  check(Math.abs(row.bias) <= 0.01, `${name}: bias ${percent(row.bias)}`)
  check(row.coverage >= 0.93, `${name}: coverage ${percent(row.coverage)}`)
}
const differences = drive('differences', 2_000)
const compared = drive('compared', 1_000)
const stored = existsSync(file) ? drive('stored', 1_000, file) : []
for (const row of stored) {
  check(row.coverage >= 0.92 && row.coverage <= 0.97, `${row.judge}: coverage ${percent(row.coverage)}`)
  check(row.width <= row.alone.width, `${row.judge}: wider than labels alone`)
  if (row.agreement >= 0.75) check(row.width <= 0.9 * row.alone.width, `${row.judge}: ${row.width / row.alone.width}`)
  check(row.licence !== 'granted' || row.low > row.chance, `${row.judge}: a licence below chance`)
}
const of = (rows, value) => `${percent(Math.min(...rows.map(value)))} to ${percent(Math.max(...rows.map(value)))}`
const strong = carried.filter(({ sensitivity, specificity }) => sensitivity + specificity >= 1.5)
const same = differences.filter(({ shift }) => shift === 0)

record(
  'Rates that rest on a judge',
  `Seeds fixed. Simulated judges: pass rates 20 to 95%, sensitivity and specificity 95/95, 90/80, 70/60 (and 80/70).

| what | worst bias | coverage of the 95% interval | bars |
| --- | --- | --- | --- |
| 200 labels of 1,000 answers (PPI++) | ${percent(Math.max(...ppi.map(({ bias }) => Math.abs(bias))))} | ${of(ppi, ({ coverage }) => coverage)} | ≤ 1 point, ≥ 93% |
| a licence from 300 older labels, 1,000 answers (Rogan–Gladen, judges above 1.5) | ${percent(Math.max(...strong.map(({ bias }) => Math.abs(bias))))} | ${of(strong, ({ coverage }) => coverage)} | ≤ 1 point, ≥ 93% |
| the difference of two runs, 200 labels each | ${percent(Math.max(...differences.map(({ bias }) => Math.abs(bias))))} | ${of(differences, ({ coverage }) => coverage)} | |

A difference is claimed between equal runs in ${of(same, ({ claimed }) => claimed)} of 2,000 tries.

\`viva compare\`: 200 cases in both runs (a fifth always fails, a fifth is unsteady), corrected by 100 labels of each or by a licence from 300; 1,000 tries.

| judge | corrected by | true fall | claimed | as judged | coverage of the difference |
| --- | --- | --- | --- | --- | --- |
${compared.map((row) => `| ${row.sensitivity}/${row.specificity} | ${row.how} | ${row.fall === 0 ? 'none' : percent(row.fall * 0.7)} | ${percent(row.claimed)} | ${percent(row.plain)} | ${percent(row.coverage)} |`).join('\n')}
${
  stored.length === 0
    ? ''
    : `
Judges stored by LLMBar, 1,000 resamples, 100 labels each, against the interval of the labels alone:

| judge | agreement | coverage | width | labels alone | licence |
| --- | --- | --- | --- | --- | --- |
${stored.map((row) => `| ${row.judge.replace('|', ', ')} | ${percent(row.agreement)} | ${percent(row.coverage)} | ±${percent(row.width / 2)} | ±${percent(row.alone.width / 2)} | ${row.licence} |`).join('\n')}
`
}`,
)
for (const line of missed) console.log(`missed: ${line}`)
