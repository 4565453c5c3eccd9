// Which tools or skills were chosen, on the console: a sentence, then what went wrong.
import { plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import { textTable } from '../../../base/text-table.js'
import { choicesOf, choiceSections, choiceSentence } from '../../../model/choices-text.js'
import type { SummaryEvent } from '../../../model/event.js'
import { asTyped, type Screen } from '../recording.js'

const MOST_ROWS = 10

export function choiceLines(summary: SummaryEvent, screen: Screen): string[] {
  return choicesOf(summary).flatMap(({ variant, choices }) => {
    const whose = variant === undefined ? '' : `${preview(variant, 60)}: `
    return [
      '',
      `  ${whose}${choiceSentence(choices)}`,
      ...choiceSections(choices, MOST_ROWS).flatMap(({ title, head, rows, more }) => {
        const shown = rows.map((row) => row.map((text) => preview(text, title === NEAR ? 160 : 60)))
        const table = textTable(head, shown).trimEnd().split('\n')
        const rest = more > 0 ? [`    and ${plural(more, 'more row')}: ${asTyped('viva view latest', screen)}`] : []
        return [`  ${title}`, ...table.map((line) => `    ${line}`), ...rest]
      }),
    ]
  })
}

const NEAR = 'Near misses'
