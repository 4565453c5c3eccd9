// An answer that the table cuts off, whole.
import { useEffect, useRef } from 'preact/hooks'
import { visible } from '../../../../base/hidden.js'
import { answersOf } from '../../../../model/answers.js'
import type { Case } from '../../data/cases.js'
import { source } from '../../data/store.js'
import { pickRun, useDetail } from '../detail/use-detail.js'
import { Glyph } from '../icons.js'
import { Value } from '../value.js'

interface Props {
  name: string
  member: Case
  onClose: () => void
}

export function WholeAnswer({ name, member, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const event = useDetail(source.value, pickRun(member, undefined))
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // A click in here does not open the row.
    <dialog
      ref={dialog}
      class="whole-answer"
      aria-label={`Answer of ${visible(name)}`}
      onClose={onClose}
      onClick={(click) => click.stopPropagation()}
    >
      <div class="help-top">
        <h2>
          <bdi>{visible(member.id)}</bdi> <bdi class="muted">{visible(name)}</bdi>
        </h2>
        <button type="button" class="ghost" onClick={() => dialog.current?.close()}>
          <Glyph name="close" />
          <span class="sr-only">Close</span>
        </button>
      </div>
      {event ? (
        answersOf(event).map((answer, index) => <Value key={index} value={answer} />)
      ) : (
        <p class="muted">Loading…</p>
      )}
    </dialog>
  )
}
