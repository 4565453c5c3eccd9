// SARIF 2.1.0, as code scanning services read it.
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../finding.js'
import type { LintReport } from '../lint.js'
import { RULES } from '../registry.js'

export function lintSarif({ findings }: LintReport, version: string): object {
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
        })),
      },
    ],
  }
}

function locationOf({ file, line, column, about, subject }: Finding): object {
  const name = about ?? (file === undefined ? subject : undefined)
  return {
    ...(file !== undefined && {
      physicalLocation: {
        artifactLocation: { uri: uriOf(file) },
        ...(line !== undefined && {
          region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
        }),
      },
    }),
    ...(name !== undefined && { logicalLocations: [{ fullyQualifiedName: name }] }),
  }
}

/** Relative to the working folder, or a file: URL. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.split(/[\\/]/).map(encodeURIComponent).join('/')
}
