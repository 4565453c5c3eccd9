// A page for every address that was moved, which leads to the new one and keeps the anchor.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MOVED = JSON.parse(readFileSync(new URL('../redirects.json', import.meta.url), 'utf8')) as Record<string, string>

export function writeRedirects(outDir: string, base: string): void {
  for (const [from, to] of Object.entries(MOVED)) {
    const file = join(outDir, from.endsWith('/') ? `${from}index.html` : `${from}.html`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, redirectPage(base + to))
  }
}

function redirectPage(target: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<link rel="canonical" href="${target}">
<meta http-equiv="refresh" content="0; url=${target}">
<script>location.replace(${JSON.stringify(target)} + location.hash)</script>
<p>This page has moved: <a href="${target}">${target}</a></p>
</html>
`
}
