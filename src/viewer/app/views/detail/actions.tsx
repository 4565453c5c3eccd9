// What can be done with a case: take it to whoever fixes it.
import type { ResultEvent } from '../../../../model/event.js'
import { forAssistant } from '../../../../pipeline/report/for-assistant.js'
import { prompts, start } from '../../data/store.js'
import { CopyButton } from '../copy-button.js'

export function CaseActions({ event }: { event: ResultEvent }) {
  if (event.status === 'passed') return null
  const text = () => forAssistant({ event, start: start.value, promptOf: (id) => prompts.value.get(id) })
  return (
    <p class="case-actions no-print">
      <CopyButton
        key={`${event.id}/${event.run}/${event.variant ?? ''}`}
        id="copy-case"
        glyph="copy"
        label="Copy the failure with everything needed to fix it, as Markdown"
        words="Copy for an assistant"
        text={text}
      />
    </p>
  )
}
