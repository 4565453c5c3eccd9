// SARIF 2.1.0, as code scanning services read it.
import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../finding.js'
import type { LintReport } from '../lint.js'
import { RULES } from '../registry.js'

export function lintSarif({ findings }: LintReport, version: string): object {
  const seen = new Map<string, number>()
  const rules = RULES.map(({ id, severity, summary, reason, fix }) => ({
    id,
    shortDescription: { text: summary },
    fullDescription: { text: reason },
    help: { text: fix },
    defaultConfiguration: { level: severity },
  }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'viva', semanticVersion: version, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true }],
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: RULES.findIndex(({ id }) => id === finding.rule),
          level: finding.severity,
          message: { text: `${finding.message}. ${finding.reason} ${finding.fix}` },
          locations: [locationOf(finding)],
          partialFingerprints: { 'viva/v1': fingerprintOf(finding, seen) },
        })),
      },
    ],
  }
}

/** Code scanning refuses a whole report for one result without a file and a line: a server stands for its file. */
function locationOf({ file, line = 1, column, about, subject }: Finding): object {
  const name = about ?? (file === undefined ? subject : undefined)
  return {
    physicalLocation: {
      artifactLocation: { uri: file === undefined ? encodeURIComponent(subject) : uriOf(file) },
      region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
    },
    ...(name !== undefined && { logicalLocations: [{ fullyQualifiedName: name }] }),
  }
}

/** The same finding has the same one wherever its line has moved; `seen` counts those that are alike. */
function fingerprintOf({ rule, subject, file, about, message }: Finding, seen: Map<string, number>): string {
  const key = JSON.stringify([rule, file ?? subject, about, message])
  const nth = seen.get(key) ?? 0
  seen.set(key, nth + 1)
  return createHash('sha256').update(`${key}${nth}`).digest('hex')
}

/** Relative to the working folder, or a file: URL. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.split(/[\\/]/).map(encodeURIComponent).join('/')
}
