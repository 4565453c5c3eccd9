// docs/trust/benchmarks.md
import { table } from '../support/measure.mjs'
import { groupBy, interval } from './support.mjs'

export function page(found) {
  return [
    '# The same verdicts as the benchmarks',
    '',
    'See how often Viva reaches the same verdict as the graders of public benchmarks, and where it does not.',
    '',
    'Written by `node bench/public/run.mjs --write`; do not edit. The records are not part of Viva: name a folder that holds them, in the form that `bench/public` reads.',
    '',
    table(
      ['source', 'tasks', 'judged', 'same verdict', '95 % interval', 'greener', 'stricter', 'CPU per verdict'],
      found.map((each) => {
        const [low, high] = interval(each.agree, each.count)
        return [
          each.name,
          each.tasks,
          `${each.count} ${each.unit}`,
          `${each.agree} (${percent(each.agree / each.count)})`,
          `${percent(low)}–${percent(high)}`,
          each.greener.length,
          each.stricter.length,
          `${Math.round(each.cpu_us)} µs`,
        ]
      }),
    ),
    '',
    '*Greener*: Viva passes what the source fails. *Stricter*: the other way round.',
    ...found.flatMap(section),
    '',
  ].join('\n')
}

const SHOWN = 20

function section({ name, rows, known, greener, stricter, free }) {
  const kinds = [...groupBy(rows, ({ kind }) => kind)]
  const differ = [...greener.map((row) => ['greener', row]), ...stricter.map((row) => ['stricter', row])]
  return [
    '',
    `## ${name}`,
    ...(kinds.length > 1
      ? [
          '',
          table(
            ['kind', 'judged', 'accepted by the source', 'different'],
            kinds.map(([kind, all]) => [
              kind,
              all.length,
              all.filter(({ official }) => official).length,
              all.filter((row) => differ.some(([, other]) => other === row)).length,
            ]),
          ),
        ]
      : []),
    '',
    differ.length === 0 ? 'No verdict differs.' : 'Different:',
    ...(differ.length === 0 ? [] : ['']),
    ...differ.slice(0, SHOWN).map(([way, row]) => `- ${row.task}: ${way}. ${explain(way, row)}`),
    ...(differ.length > SHOWN ? [`- and ${differ.length - SHOWN} more`] : []),
    ...[...groupBy(known, (row) => row.known)].flatMap(([why, all]) => [
      '',
      `Not counted, and documented: ${all.length} ${all.length === 1 ? 'verdict' : 'verdicts'} on ${why}.`,
    ]),
    ...(free === undefined
      ? []
      : [
          '',
          `An agent that does nothing passes ${free.length} of these tasks: ${free.join(', ')}. They ask for no change, and for nothing to be said.`,
        ]),
  ]
}

function explain(way, { kind, result, reply }) {
  if (way === 'greener')
    return kind === 'run'
      ? 'Every change that the task names was made, no other, and what was to be said was said.'
      : `${kind}: ${JSON.stringify(reply.tool_calls).slice(0, 200)}`
  const failed = result.assertions?.find(({ passed }) => !passed)
  return `${kind}: ${(failed?.message ?? result.error ?? '').slice(0, 200)}`
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}
