// What is not a secret stays readable: 10,000 lines of ordinary text and code, half of them about keys and passwords.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createRedactor } from './redactor.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LINES = 10_000
const MOST_ALARMS = 5

test(`at most ${MOST_ALARMS} false alarms in ${LINES} lines`, { timeout: 120_000 }, () => {
  const lines = [...ownFiles(), ...installedFiles()].flatMap(linesOf)
  const about = lines.filter((line) => /password|passwd|secret|token|key|credential|auth|cookie/i.test(line))
  expect(about.length).toBeGreaterThan(LINES / 2)
  const redactor = createRedactor({ env: {} })
  // A password in an address is one, even in an example.
  const isAlarm = (line: string) => !/:\/\/[^/\s:]*:[^/\s@]+@/.test(line) && redactor.text(line) !== line
  const alarms = lines.filter(isAlarm)
  // Shares of all lines rather than a sample: which lines a sample holds would change with every edit.
  const expected = (LINES / 2) * (about.filter(isAlarm).length / about.length + alarms.length / lines.length)
  expect(expected, alarms.join('\n')).toBeLessThanOrEqual(MOST_ALARMS)
})

/** Not what is written to be found: the rules themselves, and tests that plant secrets. */
function ownFiles(): string[] {
  return ['src', 'docs', 'examples', 'helpers'].flatMap((folder) => filesBelow(join(ROOT, folder))).filter(isOrdinary)
}

function isOrdinary(path: string): boolean {
  return !path.includes('/redact/') && !path.includes('.test.')
}

/** What each package says about itself, and the code it starts with. */
function installedFiles(): string[] {
  const modules = join(ROOT, 'node_modules')
  const packages = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const named = packages.flatMap((name) => (name.startsWith('@') ? inScope(modules, name) : [join(modules, name)]))
  const places = [
    'README.md',
    'CHANGELOG.md',
    'package.json',
    'index.js',
    'index.d.ts',
    'dist/index.js',
    'lib/index.js',
  ]
  return named
    .toSorted()
    .flatMap((folder) => places.map((place) => join(folder, place)).filter((path) => existsSync(path)))
}

function inScope(modules: string, scope: string): string[] {
  return readdirSync(join(modules, scope)).map((name) => join(modules, scope, name))
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(?:tsx?|m?js|md|json|ya?ml)$/.test(name))
    .toSorted()
    .map((name) => join(folder, name))
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && line.length < 2000)
}
