// A short list with bars; pressing a line does something with it.
import { visible } from '../../../../base/hidden.js'

export interface BarItem {
  key: string
  label: string
  note: string
  /** 0–1, of the full width. */
  share: number
  on?: boolean
  tone: 'failed' | 'passed' | 'plain'
  press: () => void
}

export function BarList({ items }: { items: BarItem[] }) {
  return (
    <ul class="bar-list">
      {items.map((item) => (
        <li key={item.key}>
          <button
            type="button"
            class={`bar tone-${item.tone}${item.on ? ' on' : ''}`}
            aria-pressed={item.on}
            onClick={item.press}
          >
            <span class="bar-label">
              <bdi>{visible(item.label)}</bdi>
            </span>
            <span class="bar-note">{item.note}</span>
            <span class="bar-fill" aria-hidden="true" style={{ width: `${Math.max(1.5, item.share * 100)}%` }} />
          </button>
        </li>
      ))}
    </ul>
  )
}
