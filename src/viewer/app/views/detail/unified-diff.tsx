// A diff that came as text: added and removed lines in colour, and told apart by their sign.
import { visible } from '../../../../base/hidden.js'

export function UnifiedDiff({ text }: { text: string }) {
  return (
    <div class="block mono diff-lines" dir="ltr" role="group" aria-label="Difference">
      {text
        .split('\n')
        .slice(0, 400)
        .map((line, index) => (
          <div key={index} class={lineClass(line)}>
            {visible(line) || ' '}
          </div>
        ))}
    </div>
  )
}

function lineClass(line: string): string | undefined {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'muted' : undefined
}
