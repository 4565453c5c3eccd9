// Puts a text on the clipboard, and says so.
import { useState } from 'preact/hooks'
import { Glyph, type GlyphName } from './icons.js'

export function CopyButton({ glyph, label, text }: { glyph: GlyphName; label: string; text: () => string }) {
  const [copied, setCopied] = useState(false)
  // Some browsers give a page opened from disk no clipboard.
  if (!navigator.clipboard) return null
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => undefined,
    )
  return (
    <button type="button" class="ghost" title={label} onClick={copy}>
      <Glyph name={glyph} />
      {copied ? <span role="status">Copied</span> : <span class="sr-only">{label}</span>}
    </button>
  )
}
