// Puts a text on the clipboard, and says so.
import { useState } from 'preact/hooks'
import { Glyph, type GlyphName } from './icons.js'

interface CopyProps {
  glyph: GlyphName
  label: string
  text: () => string
  /** Instead of the drawing alone. */
  words?: string
  id?: string
}

export function CopyButton({ glyph, label, text, words, id }: CopyProps) {
  const [copied, setCopied] = useState(false)
  // Some browsers give a page opened from disk no clipboard.
  if (!navigator.clipboard) return null
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <button type="button" id={id} class={words ? 'action' : 'ghost'} title={label} onClick={copy}>
      <Glyph name={glyph} />
      {copied ? <span role="status">Copied</span> : words ? words : <span class="sr-only">{label}</span>}
    </button>
  )
}
