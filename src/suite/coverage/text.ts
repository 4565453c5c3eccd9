// The report of `viva coverage` for people: console and Markdown.
import { formatCount, formatPercent, plural } from '../../base/format.js'
import { preview } from '../../base/text.js'
import { cell, code, section } from '../markdown.js'
import type { CoverageReport, GeneratedCoverage, Hole, KindCoverage } from './report.js'

const SHOWN = 25

export function consoleText(report: CoverageReport): string {
  const lines = [
    headline(report),
    surfaceLine(report),
    ...report.notes.map((note) => `note: ${preview(note, 300)}`),
    '',
  ]
  const widths = { title: Math.max(0, ...report.kinds.map(({ title }) => title.length)) }
  for (const kind of report.kinds) lines.push(`  ${kind.title.padEnd(widths.title)}  ${countsOf(kind)}`)
  lines.push('', ...holeLines(report))
  if (report.generated) lines.push('', ...generatedLines(report.generated))
  return `${lines.join('\n').trimEnd()}\n`
}

export function headline({ agent_id, percent, reached, total, runs }: CoverageReport): string {
  const whose = `Coverage of ${preview(agent_id, 80)}`
  const by = `in ${plural(runs, 'run')}`
  if (percent === undefined) return `${whose}: not known, ${by}`
  return `${whose}: ${formatPercent(percent)} (${formatCount(reached)} of ${formatCount(total)} places reached ${by})`
}

export function surfaceLine({ surface, observed_only }: CoverageReport): string {
  if (!observed_only) return `Surface: ${surface.map((from) => preview(from, 120)).join(', ')}`
  return 'Surface: observed only. Nothing says what the agent has, so what it never did is not known; give -n PACKAGE, --mcp, --openapi, or "surface" in viva.config'
}

export function countsOf({ total, reached, undeclared }: KindCoverage): string {
  const extra = undeclared.length > 0 ? `, ${formatCount(undeclared.length)} more seen` : ''
  return `${total === undefined ? `${formatCount(reached)} seen` : `${formatCount(reached)} of ${formatCount(total)}`}${extra}`
}

/** Holes that follow from another are counted with it. */
function holeLines({ holes, observed_only }: CoverageReport): string[] {
  const open = holes.filter(({ follows }) => !follows)
  if (open.length === 0) return holes.length === 0 && !observed_only ? ['Everything was reached.'] : []
  const lines = open.slice(0, SHOWN).map((hole) => {
    const below = followers(hole, holes)
    const also = below > 0 ? `, nor the ${plural(below, 'place')} that ${below === 1 ? 'depends' : 'depend'} on it` : ''
    return `  ${kindWord(hole)} ${preview(hole.name, 100)}: ${hole.never}${also}${hole.hint === undefined ? '' : ` (${preview(hole.hint)})`}`
  })
  if (open.length > SHOWN) lines.push(`  and ${formatCount(open.length - SHOWN)} more: -o coverage.html lists them all`)
  return ['Never reached:', ...lines]
}

function followers(hole: Hole, holes: readonly Hole[]): number {
  const below = holes.filter(({ within }) => within?.kind === hole.kind && within.name === hole.name)
  return below.reduce((sum, each) => sum + 1 + followers(each, holes), 0)
}

const WORDS: Record<Hole['kind'], string> = {
  tools: 'tool',
  tool_errors: 'tool',
  arguments: 'argument',
  values: 'value',
  hooks: 'hook',
  delegations: 'agent',
  presets: 'preset',
  locales: 'locale',
  skills: 'skill',
  endings: 'ending',
  hats: 'hat',
  topics: 'topic',
  transitions: 'transition',
}

export function kindWord({ kind }: Pick<Hole, 'kind'>): string {
  return WORDS[kind]
}

export function generatedLine({ aimed, reached, file }: GeneratedCoverage): string {
  const share = aimed === 0 ? '' : ` (${formatPercent((100 * reached) / aimed)})`
  return `Generated: ${plural(aimed, 'case')} in ${preview(file)}, of which ${formatCount(reached)} reached what they aim at${share}`
}

function generatedLines(generated: GeneratedCoverage): string[] {
  const { cases, not_aimed } = generated
  const missed = cases.filter(({ reached }) => !reached)
  const failed = cases.filter(({ status }) => status !== 'passed').length
  return [
    generatedLine(generated),
    ...missed
      .slice(0, SHOWN)
      .map((each) => `  ${preview(each.id, 40)} did not reach ${kindWord(each)} ${preview(each.name, 100)}`),
    ...(missed.length > SHOWN ? [`  and ${missed.length - SHOWN} more`] : []),
    ...(failed > 0
      ? [`${plural(failed, 'case')} did not pass: read what the generator expects before you keep them`]
      : []),
    ...(not_aimed > 0 ? [`${plural(not_aimed, 'hole')} had no case`] : []),
  ]
}

export function markdownText(report: CoverageReport): string {
  const { kinds, holes, generated } = report
  return [
    '# What the runs never reached',
    '',
    cell(headline(report)),
    '',
    cell(surfaceLine(report)),
    '',
    ...report.notes.map((note) => `- ${cell(note)}`),
    ...(report.notes.length > 0 ? [''] : []),
    '| | reached |',
    '| --- | --: |',
    ...kinds.map((kind) => `| ${kind.title} | ${countsOf(kind)} |`),
    '',
    ...section(
      'Never reached',
      '| what | name | |\n| --- | --- | --- |',
      holes.map((hole) => `| ${kindWord(hole)} | ${code(hole.name)} | ${cell(remark(hole))} |`),
    ),
    ...(generated
      ? [
          cell(generatedLine(generated)),
          '',
          ...section(
            'Generated cases',
            '| case | aims at | reached | status |\n| --- | --- | --- | --- |',
            generated.cases.map(
              (each) =>
                `| ${code(each.id)} | ${kindWord(each)} ${code(each.name)} | ${each.reached ? 'yes' : 'no'} | ${each.status} |`,
            ),
          ),
        ]
      : []),
    ...kinds.flatMap(({ title, places, undeclared }) =>
      section(
        `${title}: reached`,
        '| name | times | runs | cases |\n| --- | --: | --: | --- |',
        [...places, ...undeclared].map(
          ({ name, times, runs, cases, more_cases }) =>
            `| ${code(name)} | ${times} | ${runs} | ${cell(casesText(cases, more_cases))} |`,
        ),
      ),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

export function remark({ never, follows, within, hint }: Hole): string {
  const why = follows && within ? `; ${kindWord(within)} ${within.name} was not reached` : ''
  return `${never}${why}${hint === undefined ? '' : `: ${hint}`}`
}

export function casesText(cases: readonly string[], more?: boolean): string {
  return `${cases.map((id) => preview(id, 60)).join(', ')}${more ? ', …' : ''}`
}
