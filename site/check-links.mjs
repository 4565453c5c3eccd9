// Every link, picture and script of the built site leads to a file of it, and every anchor to an element.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('.vitepress/dist', import.meta.url))
const base = process.env.VIVA_SITE_BASE ?? '/'
const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
const texts = new Map(pages.map((page) => [page, readFileSync(join(dist, page), 'utf8')]))
const ids = new Map([...texts].map(([page, text]) => [page, new Set(all(text, /\sid="([^"]+)"/g))]))

const broken = []
let count = 0
for (const [page, text] of texts) {
  for (const [, tag = '', target = ''] of text.matchAll(/<(\w+)[^>]*?\s(?:href|src)="([^"]*)"/g)) {
    count++
    const problem = problemWith(decode(target), tag, page)
    if (problem !== undefined) broken.push(`${page}: ${target}: ${problem}`)
  }
}
if (broken.length > 0) {
  console.error(broken.join('\n'))
  process.exit(1)
}
console.log(`${count} links on ${pages.length} pages lead somewhere`)

function problemWith(target, tag, page) {
  if (target.startsWith('data:') || target.startsWith('mailto:')) return undefined
  // Reading the site loads nothing from elsewhere; only a click may leave it.
  if (/^[a-z]+:|^\/\//.test(target)) return tag === 'a' ? undefined : 'is loaded from another host'
  const [path, anchor] = target.split('#')
  const full = path === '' ? `${base}${page}` : posix.join(path.startsWith('/') ? '' : base + dirname(page), path)
  if (!full.startsWith(base)) return `is outside ${base}`
  const file = fileOf(full.slice(base.length))
  if (file === undefined) return 'no such page'
  if (anchor && !ids.get(file)?.has(decodeURIComponent(anchor))) return 'no such anchor'
  return undefined
}

/** As GitHub Pages finds it. */
function fileOf(path) {
  const names = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`]
  return names.find((name) => existsSync(join(dist, name)) && statSync(join(dist, name)).isFile())
}

function all(text, pattern) {
  return [...text.matchAll(pattern)].map(([, match]) => match)
}

function decode(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
}
