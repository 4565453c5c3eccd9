// A titled part of a case that can be folded away.
import type { ComponentChildren } from 'preact'

interface SectionProps {
  title: string
  note?: string
  closed?: boolean
  children: ComponentChildren
}

export function Section({ title, note, closed = false, children }: SectionProps) {
  return (
    <details class="section" open={!closed}>
      <summary>
        <h3>{title}</h3>
        {note && <span class="muted">{note}</span>}
      </summary>
      <div class="section-body">{children}</div>
    </details>
  )
}
