// A report of the suite as a page of its own: no script, nothing loaded, everything escaped.
import { visible } from '../base/hidden.js'

/** `body` is HTML; what it holds of others must be escaped. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882 }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.6rem; margin: 0 0 .5rem } h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem }
.score { font-size: 1.2rem; margin: 0 } .about { opacity: .7; margin: .25rem 0 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; white-space: nowrap }
code { font: 13px/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
`

/** Cells are HTML, titles are text. */
export function table(title: string, head: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const cells = (tag: string, row: string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<h2>${escaped(title)}</h2>
<div class="wide"><table>
<thead>${cells('th', head.map(escaped))}</thead>
<tbody>
${rows.map((row) => cells('td', row)).join('\n')}
</tbody>
</table></div>`
}

export function code(text: string): string {
  return `<code>${escaped(text)}</code>`
}

export function escaped(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
