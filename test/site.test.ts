// The documentation site: apart from the package, and built from docs/ without network.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder, ROOT } from './support/run-cli.js'
import { shell } from './support/shell.js'

const SITE = join(ROOT, 'site')
const DIST = join(SITE, '.vitepress', 'dist')
const isInstalled = existsSync(join(SITE, 'node_modules', 'vitepress'))

test('its lock names no host', () => {
  expect(readFileSync(join(SITE, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|registry\./)
})

describe.skipIf(!isInstalled)('after npm ci in site/', () => {
  test('it builds with sockets denied, and every link and anchor leads somewhere', { timeout: 300_000 }, async () => {
    rmSync(DIST, { recursive: true, force: true })
    const run = await shell('npm run build', { cwd: SITE, env: { HOME: makeFolder() } })
    expect(run.code, `${run.stdout}\n${run.stderr}`).toBe(0)
    expect(run.stdout).toMatch(/\d+ links on \d+ pages lead somewhere/)
    // A moved page leads to where it is now, an old link to an anchor included.
    expect(readFileSync(join(DIST, 'guide', 'cases.html'), 'utf8')).toContain('url=/write/cases"')
    // Search has an index of its own.
    expect(readFileSync(join(DIST, 'hashmap.json'), 'utf8')).toContain('write_cases.md')
  })
})
