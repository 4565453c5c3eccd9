// Where in the user's scripts it went wrong.
import { visible } from '../../../../base/hidden.js'

const SHOWN = 60

export function Stack({ text }: { text: string }) {
  return (
    <div class="block mono stack" dir="ltr" role="group" aria-label="Stack">
      {text
        .split('\n')
        .slice(0, SHOWN)
        .map((line, index) => (
          <div key={index} class={/node:|node_modules|<anonymous>/.test(line) ? 'muted' : undefined}>
            {visible(line)}
          </div>
        ))}
    </div>
  )
}
