// Which tools or skills were chosen, against those that should have been.
import { choiceMatrix, choicesOf, choiceSections, choiceSentence } from '../../../model/choices-text.js'
import { visible } from '../../../base/hidden.js'
import { summary } from '../data/store.js'
import { Section } from './suite.js'

/** A wider matrix cannot be read: its wrong cells are listed. */
const MOST_COLUMNS = 16
const MOST_ROWS = 200

export function Choices() {
  const all = summary.value ? choicesOf(summary.value) : []
  if (all.length === 0) return null
  return (
    <>
      {all.map(({ variant, choices }) => {
        const matrix = choiceMatrix(choices, MOST_COLUMNS)
        const title = choices.of === 'tool' ? 'Tools chosen' : 'Skills chosen'
        return (
          <section class="panel suite choices" key={`${variant ?? ''} ${choices.of}`} aria-label={title}>
            <h2>
              {title}
              {variant !== undefined && (
                <>
                  : <bdi>{visible(variant)}</bdi>
                </>
              )}
            </h2>
            <p>{choiceSentence(choices)}</p>
            {[...(matrix ? [matrix] : []), ...choiceSections(choices, MOST_ROWS)].map((section) => (
              <Section key={section.title} section={section} rest="the JSON report has them" />
            ))}
          </section>
        )
      })}
    </>
  )
}
