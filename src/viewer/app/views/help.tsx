// The keyboard, explained.
import { useEffect, useRef } from 'preact/hooks'
import { helpOpen } from '../data/store.js'
import { Glyph } from './icons.js'

const KEYS: [keys: string[], does: string][] = [
  [['j', '↓'], 'Next case'],
  [['k', '↑'], 'Previous case'],
  [['Enter'], 'Open the case'],
  [['Esc'], 'Close the case, then clear the filters'],
  [['/'], 'Search'],
  [['f'], 'Failures only, and back'],
  [['['], 'Previous run of the case'],
  [[']'], 'Next run of the case'],
  [['v'], 'Next variant of the case'],
  [['r'], 'Run the open case again, where that is allowed'],
  [['n'], 'Next step of the transcript'],
  [['p'], 'Previous step of the transcript'],
  [['c'], 'Copy the failure for an assistant'],
  [['e'], 'Open the case in the editor, if viva view has one'],
  [['t'], 'Light or dark'],
  [['?'], 'This help'],
]

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const open = helpOpen.value
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onCancel={() => (helpOpen.value = false)}
      onClose={() => (helpOpen.value = false)}
    >
      <div class="help-top">
        <h2 id="help-title">Keyboard</h2>
        <button type="button" class="ghost" onClick={() => (helpOpen.value = false)}>
          <Glyph name="close" />
          <span class="sr-only">Close</span>
        </button>
      </div>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        The address of this page holds the open case, the filters and the order: share it together with the file.
      </p>
    </dialog>
  )
}
