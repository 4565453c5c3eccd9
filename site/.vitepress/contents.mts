// The five sections and their pages, in order, from docs/README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Section {
  title: string
  pages: { text: string; link: string }[]
}

export function sections(docs: string): Section[] {
  const [, ...parts] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m)
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    pages: [...part.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(([, text = '', path = '']) => ({
      text,
      link: `/${path.replace(/README$/, '')}`,
    })),
  }))
}
