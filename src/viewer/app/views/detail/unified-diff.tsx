// A diff that came as text: added and removed lines in colour, and also marked by their sign.
import { formatCount } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'

const MOST_LINES = 400

export function UnifiedDiff({ text }: { text: string }) {
  const lines = text.split('\n')
  return (
    <div class="block mono diff-lines" dir="ltr" role="group" aria-label="Difference">
      {lines.slice(0, MOST_LINES).map((line, index) => (
        <div key={index} class={lineClass(line)}>
          {visible(line) || ' '}
        </div>
      ))}
      {lines.length > MOST_LINES && <div class="muted">{formatCount(lines.length - MOST_LINES)} more lines</div>}
    </div>
  )
}

function lineClass(line: string): string | undefined {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'muted' : undefined
}
