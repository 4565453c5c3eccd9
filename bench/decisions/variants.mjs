// How often the variants of one run are told apart although they are equal, and a single broken case is found: 1,000 runs a cell.
//   node bench/decisions/variants.mjs [part of the tries, 1 = all]
import { record } from '../support/record.mjs'
import { openDriver } from '../support/open-driver.mjs'

const tries = Math.ceil(1_000 * Number(process.argv[2] ?? 1))
const drive = await openDriver('decisions/drive-plans')
const percent = (share) => `${(share * 100).toFixed(1)}%`
const bar = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / tries)
const missed = []
const equal = drive('variants', tries)
const broken = drive('broken', tries)
for (const { plan, sides, shape, cases, wrong } of equal)
  if (wrong > bar) missed.push(`--runs ${plan}, ${sides} variants, ${shape}, ${cases} cases: ${percent(wrong)}`)
for (const { plan, sides, others, cases, found } of broken)
  if (others === 1 && found < 0.99)
    missed.push(`--runs ${plan}, ${sides} variants, ${cases} cases: a broken case found in ${percent(found)}`)

const cells = [...new Set(equal.map(({ sides, cases }) => `${sides} × ${cases}`))]
const lines = [...new Set(equal.map(({ plan, shape }) => `${plan} | ${shape}`))].map((line) => {
  const own = equal.filter(({ plan, shape }) => `${plan} | ${shape}` === line)
  return `| ${line} | ${own.map(({ wrong }) => percent(wrong)).join(' | ')} |`
})
record(
  'Variants',
  `Variants of one run that are the same made-up agent, ${tries.toLocaleString('en-US')} runs a cell: how often anything is claimed about any of them: a rate, a single case, the best (bar: 5% plus two standard errors, ${percent(bar)}; the worst cell has ${percent(Math.max(...equal.map(({ wrong }) => wrong)))}). Columns: variants × cases.

| \`--runs\` | true rates | ${cells.join(' | ')} |
| --- | --- | ${cells.map(() => '---').join(' | ')} |
${lines.join('\n')}

One case that always passes in the baseline and never in one other variant is named (bar where the others always pass: 99%):

| \`--runs\` | variants | the others pass | cases | found |
| --- | --- | --- | --- | --- |
${broken.map(({ plan, sides, others, cases, found }) => `| ${plan} | ${sides} | ${percent(others)} | ${cases} | ${percent(found)} |`).join('\n')}`,
)
for (const what of missed) console.error(`missed: ${what}`)
process.exitCode = missed.length > 0 ? 1 : 0
