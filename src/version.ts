// The version, from package.json; the build writes it into `dist/`, the sources read it.
import { readFileSync } from 'node:fs'

declare const VIVA_VERSION: string | undefined

let cached: string | undefined = typeof VIVA_VERSION === 'undefined' ? undefined : VIVA_VERSION

export function version(): string {
  cached ??= readVersion()
  return cached
}

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
