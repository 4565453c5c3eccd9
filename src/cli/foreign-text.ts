// What agents wrote, on its way out: spelled out on a terminal, so that it cannot paint there or set the clipboard; raw in a pipe.
import { visible } from '../base/hidden.js'

export interface ForeignText {
  write(text: string): void
  /** What was held back because it might have been half of a character or of a line ending. */
  end(): void
}

export function foreignText(out: NodeJS.WriteStream): ForeignText {
  let held = ''
  const put = (text: string): void => {
    if (text !== '') out.write(out.isTTY ? visible(text) : text)
  }
  return {
    write(text) {
      const all = held + text
      held = out.isTTY ? (HALF.exec(all)?.[0] ?? '') : ''
      put(all.slice(0, all.length - held.length))
    },
    end() {
      put(held)
      held = ''
    },
  }
}

const HALF = /[\r\ud800-\udbff]$/
