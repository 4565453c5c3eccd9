// What can be done with a case: take it to whoever fixes it, or to the editor.
import type { ResultEvent } from '../../../../model/event.js'
import { forAssistant } from '../../../../pipeline/report/for-assistant.js'
import { editor, editorError, openInEditor } from '../../data/open-case.js'
import { prompts, start } from '../../data/store.js'
import { CopyButton } from '../copy-button.js'
import { Glyph } from '../icons.js'
import { Text } from '../text.js'

export function CaseActions({ event }: { event: ResultEvent }) {
  const hasFailed = event.status !== 'passed'
  const hasFile = (event.script_path ?? event.file) !== undefined && editor.value !== undefined
  if (!hasFailed && !hasFile) return null
  return (
    <>
      <p class="case-actions no-print">
        {hasFailed && <CopyFailure event={event} />}
        {hasFile && (
          <button
            type="button"
            id="open-case"
            class="action"
            title={`Open the file of the case in ${editor.value ?? ''}`}
            onClick={() => void openInEditor(event.id)}
          >
            <Glyph name="edit" />
            Open in editor
          </button>
        )}
      </p>
      {hasFile && editorError.value && (
        <p class="notice" role="alert">
          <Text value={`Not opened: ${editorError.value}`} />
        </p>
      )}
    </>
  )
}

function CopyFailure({ event }: { event: ResultEvent }) {
  return (
    <CopyButton
      key={`${event.id}/${event.run}/${event.variant ?? ''}`}
      id="copy-case"
      glyph="copy"
      label="Copy the failure with everything needed to fix it, as Markdown"
      words="Copy for an assistant"
      text={() => forAssistant({ event, start: start.value, promptOf: (id) => prompts.value.get(id) })}
    />
  )
}
