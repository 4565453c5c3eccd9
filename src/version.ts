// The version, from package.json; found from `dist/` and from `src/` alike.
import { readFileSync } from 'node:fs'

let cached: string | undefined

export function version(): string {
  cached ??= readVersion()
  return cached
}

function readVersion(): string {
  for (const up of ['../../package.json', '../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as {
        name?: string
        version?: string
      }
      if (manifest.name === 'viva' && manifest.version) return manifest.version
    } catch {
      // The sources sit one folder higher than the bundled chunks, which are asked at every start: try the other one.
    }
  }
  return '0.0.0'
}
