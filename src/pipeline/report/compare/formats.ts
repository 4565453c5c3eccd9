// A comparison as text, in the requested format. The page is built elsewhere: it holds both runs.
import type { Screen } from '../recording.js'
import { compareConsole } from '../reporters/compare-console.js'
import { compareJson } from '../reporters/compare-json.js'
import { compareMarkdown } from '../reporters/compare-markdown.js'
import type { Comparison } from './types.js'

const FORMATS = {
  console: compareConsole,
  json: compareJson,
  markdown: compareMarkdown,
} satisfies Record<string, (comparison: Comparison, screen: Screen) => string>

export type ComparisonFormat = keyof typeof FORMATS

const PLAIN: Screen = { columns: 80, color: false, verbose: false }

export function comparisonText(comparison: Comparison, format: ComparisonFormat, screen: Screen = PLAIN): string {
  return FORMATS[format](comparison, screen)
}
