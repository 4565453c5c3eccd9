// The site is docs/ as it stands: the contents page is the landing page and the sidebar.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import type { Plugin } from 'vite'
import { sections } from './contents.mts'
import { LANDING } from './landing.mts'
import { githubAnchor, resolveLinks } from './links.mts'
import { writeRedirects } from './redirects.mts'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const repository =
  process.env['GITHUB_REPOSITORY'] === undefined
    ? undefined
    : `${process.env['GITHUB_SERVER_URL'] ?? 'https://github.com'}/${process.env['GITHUB_REPOSITORY']}`
const menu = sections(docs)

export default defineConfig({
  srcDir: docs,
  base: process.env['VIVA_SITE_BASE'] ?? '/',
  lang: 'en',
  title: 'Viva',
  titleTemplate: ':title · Viva',
  description: 'Examines AI agents: test cases in, verdicts you can trust in CI out.',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  head: [['link', { rel: 'icon', href: icon() }]],
  markdown: {
    anchor: { slugify: githubAnchor },
    config: (md) => resolveLinks(md, docs, repository),
  },
  // The contents of docs/ are the landing page; what only a site needs is added here.
  transformPageData: (page) =>
    page.relativePath === 'index.md'
      ? { title: 'Viva', titleTemplate: 'test AI agents', frontmatter: { ...page.frontmatter, ...LANDING } }
      : undefined,
  buildEnd: ({ outDir, site }) => writeRedirects(outDir, site.base),
  vite: { plugins: [installedHere()], server: { fs: { allow: [dirname(docs)] } } },
  themeConfig: {
    nav: menu.flatMap(({ title, pages: [first] }) =>
      first ? [{ text: title, link: first.link, activeMatch: `^${dirname(first.link)}/` }] : [],
    ),
    sidebar: menu.map(({ title, pages }) => ({
      text: title,
      collapsed: true,
      items: pages.map(({ text, link }) => ({ text, link })),
    })),
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
    ...(repository !== undefined && {
      socialLinks: [{ icon: 'github', link: repository }],
      editLink: { pattern: `${repository}/edit/main/docs/:path` },
    }),
  },
})

/** Pages are outside this folder; what they import is installed in it. */
function installedHere(): Plugin {
  return {
    name: 'viva:installed-here',
    enforce: 'pre',
    resolveId(id, importer, { ssr }) {
      if (!/^vue(\/|$)/.test(id)) return undefined
      if (ssr) return { id, external: true }
      return importer?.startsWith(docs)
        ? this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true })
        : undefined
    },
  }
}

function icon(): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f6f5c"/><path d="M8 9l8 15L24 9" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>'
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
