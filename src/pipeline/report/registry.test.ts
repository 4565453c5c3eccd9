// Reporters are found by name and by extension, and each says what it is for.
import { expect, test } from 'vitest'
import { conformanceRows } from '../../../test/support/conformance.js'
import { isBuiltInReporter, REPORTERS, reporterByName, reporterForPath, requireKnownFormat } from './registry.js'

test.each(REPORTERS.map((entry) => [entry.name, entry] as const))(
  '%s has a summary and an example, and loads',
  async (name, entry) => {
    expect(entry.summary).not.toBe('')
    expect(entry.example).toContain('viva ')
    expect(await entry.load()).toBeTypeOf('function')
    expect(isBuiltInReporter(name)).toBe(true)
    expect(isBuiltInReporter(`report.${name}`)).toBe(true)
    expect(await reporterByName(`report.${name}`)).toBe(await reporterForPath(`dir.json/x${entry.extension}`))
  },
)

test('the longest extension decides', async () => {
  expect(await reporterForPath('a/b.ctrf.json')).toBe(await reporterByName('ctrf'))
  expect(await reporterForPath('a/b.JSON')).toBe(await reporterByName('json'))
  expect(await reporterForPath('a/b.htm')).toBe(await reporterByName('html'))
  expect(await reporterForPath('a/b.markdown')).toBe(await reporterByName('markdown'))
})

test('a file called benchmark.json is one, another that ends so is not', async () => {
  expect(await reporterForPath('out/Benchmark.json')).toBe(await reporterByName('benchmark'))
  expect(await reporterForPath('benchmark.json')).toBe(await reporterByName('benchmark'))
  expect(await reporterForPath('out/my-benchmark.json')).toBe(await reporterByName('json'))
})

test('what is not known is refused with what is', async () => {
  expect(isBuiltInReporter('report.slack')).toBe(false)
  expect(() => requireKnownFormat('report.pdf')).toThrow('cannot tell the format of report.pdf')
  await expect(reporterForPath('report.pdf')).rejects.toThrow('cannot tell the format of report.pdf')
  await expect(reporterByName('pdf')).rejects.toThrow('no reporter called "pdf"')
})

for (const row of conformanceRows('report', 'output_format')) {
  test(`conformance: ${row.name}`, async () => {
    expect(await reporterForPath(String(row.given['path']))).toBe(await reporterByName(String(row.expect['format'])))
  })
}
