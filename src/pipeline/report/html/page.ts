// The HTML around the application: the same page carries its data (a report) or requests it from a server (the live viewer).
import { escapeHtml } from './embed.js'
import type { ViewerAssets } from './assets.js'

/** `report`, `compare`: the data follows in the page. `live`: the application fetches it from the page's own server. */
export type PageMode = 'report' | 'compare' | 'live'

export function pageHead(title: string, assets: ViewerAssets, mode: PageMode): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(assets, mode)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="viva">
<meta name="viva-mode" content="${mode}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${assets.style}</style>
</head>
<body>
<div id="app"><p class="loading" role="status">Reading the results…</p></div>
<div id="print" aria-hidden="true"></div>
<noscript><p class="loading">This report needs JavaScript. It loads nothing from the network.</p></noscript>
`
}

export function pageApp(assets: ViewerAssets): string {
  return `<script>${assets.script}</script>\n`
}

export function pageTail(): string {
  return '</body>\n</html>\n'
}

/** Nothing may run or load except our own script and style; `connect-src` only if there is a server to ask. */
export function contentPolicy(assets: ViewerAssets, mode: PageMode): string {
  return [
    "default-src 'none'",
    `script-src ${assets.scriptHash}`,
    `style-src ${assets.styleHash}`,
    'img-src data:',
    ...(mode === 'live' ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0d7a68" d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H15l-7 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/><path fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round" d="m9.5 13.5 4.5 4.5 8.5-9"/></svg>',
)}`
