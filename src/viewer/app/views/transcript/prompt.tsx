// The instructions that a model had, folded: they are long, and the same in most cases.
import { formatCount } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { oneLine } from '../../../../base/text.js'
import { Glyph } from '../icons.js'
import { Prose } from '../value.js'

export function Prompt({ n, text }: { n: number; text: string }) {
  return (
    <details class="fold" data-step={n} tabIndex={-1}>
      <summary>
        <Glyph name="prompt" />
        <span class="fold-kind">System prompt</span>
        <span class="tool-args">
          <bdi>{visible(oneLine(text, 120))}</bdi>
        </span>
        <span class="fold-fact">{formatCount(text.length)} characters</span>
      </summary>
      <div class="fold-body">
        <Prose value={text} />
      </div>
    </details>
  )
}
