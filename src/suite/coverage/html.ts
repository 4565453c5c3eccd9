// The report of `viva coverage` as a page of its own.
import { code, escaped, page, table } from '../page.js'
import type { CoverageReport } from './report.js'
import { casesText, countsOf, generatedLine, headline, kindWord, remark, surfaceLine } from './text.js'

export function htmlText(report: CoverageReport): string {
  const { kinds, holes, notes, generated } = report
  return page(
    'What the runs never reached',
    `<p class="score">${escaped(headline(report))}</p>
<p class="about">${escaped(surfaceLine(report))}</p>
${notes.map((note) => `<p class="about">${escaped(note)}</p>`).join('\n')}
${table(
  'Reached',
  ['kind', 'reached'],
  kinds.map((kind) => [escaped(kind.title), escaped(countsOf(kind))]),
)}
${table(
  'Never reached',
  ['what', 'name', ''],
  holes.map((hole) => [escaped(kindWord(hole)), code(hole.name), escaped(remark(hole))]),
)}
${generated ? `<p>${escaped(generatedLine(generated))}</p>` : ''}
${table(
  'Generated cases',
  ['case', 'aims at', 'reached', 'status'],
  (generated?.cases ?? []).map((each) => [
    escaped(each.id),
    `${escaped(kindWord(each))} ${code(each.name)}`,
    each.reached ? 'yes' : 'no',
    escaped(each.status),
  ]),
)}
${kinds
  .map(({ title, places, undeclared }) =>
    table(
      `${title}: by which cases`,
      ['name', 'times', 'runs', 'passed', 'cases'],
      [...places, ...undeclared].map(({ name, times, runs, passed, cases, more_cases }) => [
        code(name),
        String(times),
        String(runs),
        String(passed),
        escaped(casesText(cases, more_cases)),
      ]),
    ),
  )
  .join('\n')}`,
  )
}
