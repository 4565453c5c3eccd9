// A comparison in the format asked for, by name or by file extension.
import { UserError } from '../../../errors.js'
import type { Screen } from '../recording.js'
import type { Comparison } from './types.js'

export type ComparisonFormat = 'console' | 'json' | 'markdown' | 'html'

const EXTENSIONS: Record<string, ComparisonFormat> = {
  '.json': 'json',
  '.md': 'markdown',
  '.html': 'html',
  '.txt': 'console',
}

export function comparisonFormatOf(path: string): ComparisonFormat {
  const lower = path.toLowerCase()
  const extension = Object.keys(EXTENSIONS).find((known) => lower.endsWith(known))
  const format = extension === undefined ? undefined : EXTENSIONS[extension]
  if (format) return format
  throw new UserError({
    code: 'UNKNOWN_FORMAT',
    message: `cannot tell the format of ${path} by its extension`,
    hint: `use one of ${Object.keys(EXTENSIONS).join(', ')}`,
  })
}

export async function renderComparison(
  comparison: Comparison,
  format: ComparisonFormat,
  screen: Screen,
): Promise<string> {
  switch (format) {
    case 'console':
      return (await import('../reporters/compare-console.js')).compareConsole(comparison, screen)
    case 'json':
      return (await import('../reporters/compare-json.js')).compareJson(comparison)
    case 'markdown':
      return (await import('../reporters/compare-markdown.js')).compareMarkdown(comparison)
    case 'html':
      return (await import('../reporters/compare-html.js')).compareHtml(comparison)
  }
}
