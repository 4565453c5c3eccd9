// XML 1.0 text and attributes from any text at all, hidden characters spelled out.
import { visible } from '../../base/hidden.js'

// What XML 1.0 cannot hold, not even as a reference: most control characters, unpaired surrogates, U+FFFE and U+FFFF.
// oxlint-disable-next-line no-control-regex
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
const SPECIAL = /[&<>"\r\n\t\u0085\u2028]/g

/** Text between tags. `>` is escaped too, so that `]]>` cannot occur. */
export function xmlText(text: string): string {
  return visible(text)
    .replaceAll(ILLEGAL, '\ufffd')
    .replaceAll(/[&<>\r]/g, reference)
}

/** The value of an attribute, with its quotes; newlines as references, or parsers turn them into spaces. */
function xmlValue(value: string | number): string {
  return `"${visible(String(value)).replaceAll(ILLEGAL, '\ufffd').replaceAll(SPECIAL, reference)}"`
}

/** ` name="value" …`, omitting what is undefined. */
export function xmlAttributes(attributes: Record<string, string | number | undefined>): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) text += ` ${name}=${xmlValue(value)}`
  return text
}

function reference(character: string): string {
  switch (character) {
    case '&':
      return '&amp;'
    case '<':
      return '&lt;'
    case '>':
      return '&gt;'
    case '"':
      return '&quot;'
    default:
      return `&#${character.charCodeAt(0)};`
  }
}
