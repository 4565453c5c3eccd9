// Readers of report formats that are not ours: what they accept and count is what a CI system will.
import { readFileSync } from 'node:fs'
import { validate, validateStrict } from 'ctrf'
import { parse } from 'junit2json'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { Parser } from 'tap-parser'

export interface JunitCounts {
  tests: number
  failures: number
  errors: number
  skipped: number
  flaky: number
  names: string[]
}

/** Throws where the XSD that Jenkins publishes refuses the document, or where its counts are not those of its elements. */
export async function readJunit(xml: string): Promise<JunitCounts> {
  const document = XmlDocument.fromString(xml)
  const schema = XmlDocument.fromString(readFileSync(new URL('../fixtures/reports/junit.xsd', import.meta.url), 'utf8'))
  try {
    XsdValidator.fromDoc(schema).validate(document)
    const count = (path: string): number => document.find(path).length
    const attribute = (key: string): number => Number(document.get(`/testsuites/testsuite/@${key}`)?.content)
    const counts = {
      tests: count('//testcase'),
      failures: count('//testcase/failure'),
      errors: count('//testcase/error'),
      skipped: count('//testcase/skipped'),
    }
    for (const [key, value] of Object.entries(counts))
      if (attribute(key) !== value) throw new Error(`${key}="${attribute(key)}", but there are ${value}`)
    return { ...counts, flaky: count('//testcase/flakyFailure | //testcase/flakyError'), names: await namesOf(xml) }
  } finally {
    document.dispose()
    schema.dispose()
  }
}

async function namesOf(xml: string): Promise<string[]> {
  const parsed = await parse(xml)
  const suites = parsed && 'testsuite' in parsed ? (parsed.testsuite ?? []) : []
  return suites.flatMap((suite) => [suite.testcase ?? []].flat().map((item) => item.name ?? ''))
}

export interface TapCounts {
  pass: number
  fail: number
  skip: number
  /** Lines that belong to nothing: there must be none. */
  extra: string[]
  names: string[]
  /** Problems of the document itself, such as a plan that does not fit. */
  problems: unknown[]
}

export function readTap(text: string): TapCounts {
  const counts: TapCounts = { pass: 0, fail: 0, skip: 0, extra: [], names: [], problems: [] }
  const parser = new Parser({ strict: true, name: 'report' })
  parser.on('assert', (result) => {
    if (result.skip !== false) counts.skip++
    if (result.ok) counts.pass++
    else counts.fail++
    counts.names.push(String(result.name))
  })
  parser.on('extra', (line) => counts.extra.push(line))
  parser.on('child', (child) => child.on('extra', (line: string) => counts.extra.push(line)))
  parser.end(text)
  counts.problems = parser.failures.filter((item) => !('id' in item))
  return counts
}

export interface CtrfTest {
  name: string
  status: string
  message?: string
  flaky?: boolean
}

/** Throws where the published schema refuses it. */
export function readCtrf(text: string): { summary: Record<string, number>; tests: CtrfTest[] } {
  const document = JSON.parse(text) as { results: { summary: Record<string, number>; tests: CtrfTest[] } }
  const { valid, errors } = validate(document)
  if (!valid) throw new Error(JSON.stringify(errors))
  validateStrict(document)
  return document.results
}
