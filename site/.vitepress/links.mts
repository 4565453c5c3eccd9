// Links are written for the repository; here they lead to pages of the site, or to the repository for anything else.
import { dirname, join, relative, resolve } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

type Tokens = ReturnType<MarkdownRenderer['parse']>

/** The anchor that GitHub gives a heading, so that a link works in both places. */
export function githubAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Without a repository (a build outside GitHub) a link that leaves the documentation is plain text. */
export function resolveLinks(md: MarkdownRenderer, docs: string, repository: string | undefined): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const { realPath, path } = env as { realPath?: string; path: string }
    const folder = dirname(realPath ?? path)
    for (const { children } of tokens) if (children) resolveIn(children, folder)
  })

  function resolveIn(tokens: Tokens, folder: string): void {
    let isDropped = false
    for (const token of tokens) {
      if (token.type === 'link_open') {
        const target = siteLink(String(token.attrGet('href')), folder)
        isDropped = target === undefined
        if (target !== undefined) token.attrSet('href', target)
      }
      if (isDropped && (token.type === 'link_open' || token.type === 'link_close')) {
        isDropped = token.type === 'link_open'
        Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 })
      }
    }
  }

  function siteLink(href: string, folder: string): string | undefined {
    if (/^[a-z]+:|^#/.test(href)) return href
    const [path = '', anchor] = href.split('#')
    const inDocs = relative(docs, resolve(folder, path))
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (!inDocs.startsWith('..') && inDocs.endsWith('.md')) return `/${inDocs.replace(/(README)?\.md$/, '')}${hash}`
    return repository && `${repository}/blob/main/${join('docs', inDocs)}${hash}`
  }
}
