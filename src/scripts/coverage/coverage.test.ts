import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTEXT, makeApp, open, runFound } from '../../../test/support/script-app.js'
import { CoverageCollector } from './coverage.js'
import { writeCoverage } from './write-coverage.js'

const MODULE = `interface Unused {
  a: number
}

export function Double(value: number): number {
  if (value > 10) {
    return 0
  }
  return value * 2
}

function never() {
  return 'never'
}

export const Label = (name: string) => (name === '' ? 'none' : name)
`

test('counts the lines and functions of the modules under test, not of the tests', async () => {
  const app = makeApp({
    'src/math.ts': MODULE,
    'src/math_test.ts': `function TestDouble(t) { t.assert.Equal(Double(2), 4); t.assert.Equal(Double(3), 6) }
function TestLabel(t) { t.assert.Equal(Label('x'), 'x') }
function TestCrash() { process.exit(1) }`,
  })
  const folder = mkdtempSync(join(tmpdir(), 'viva-coverage-'))
  const coverage = new CoverageCollector(realpathSync(app.root))
  const scripts = open(app.root, { coverage })
  try {
    await runFound(scripts, 'scripts.expense.math')
    await scripts.close()
    const report = writeCoverage(coverage, folder)
    const lcov = readFileSync(join(folder, 'lcov.info'), 'utf8')
    expect(lcov.match(/^SF:.*$/gm)).toEqual(['SF:assistants/expense/src/math.ts'])
    const hits = new Map([...lcov.matchAll(/^DA:(\d+),(\d+)$/gm)].map((match) => [Number(match[1]), Number(match[2])]))
    expect([...hits].filter(([, count]) => count === 0).map(([line]) => line)).toEqual([7, 12, 13])
    expect(hits.get(6)).toBe(2)
    expect(hits.get(9)).toBe(2)
    expect(hits.has(1)).toBe(false)
    expect(lcov).toMatch(/^FNDA:2,Double$/m)
    expect(lcov).toMatch(/^FNDA:0,never$/m)
    expect(lcov).toMatch(/^FN:12,never$/m)
    expect(report.text.split('\n')[2]).toMatch(/^assistants\/expense\/src\/math\.ts +\d\d\.\d% +66\.7% {2}7,12-13$/)
    expect(existsSync(join(folder, 'coverage.txt'))).toBe(true)
    expect(report.lines).toBeCloseTo(57.1, 1)
  } finally {
    app.remove()
    rmSync(folder, { recursive: true })
  }
})

test('calls count too, and counts add up', async () => {
  const app = makeApp({ 'src/math.ts': MODULE })
  const coverage = new CoverageCollector(realpathSync(app.root))
  const scripts = open(app.root, { coverage })
  try {
    for (const value of [1, 20, 30]) {
      await scripts.call({
        ref: 'scripts.expense.math.Double',
        role: 'agent',
        args: [value, CONTEXT],
        signal: new AbortController().signal,
      })
    }
    const [file] = coverage.files()
    expect(file?.lines.get(7)).toBe(2)
    expect(file?.lines.get(9)).toBe(1)
  } finally {
    await scripts.close()
    app.remove()
  }
})
