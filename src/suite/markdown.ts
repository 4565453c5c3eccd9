// Parts of a report in Markdown.
import { visible } from '../base/hidden.js'

export function section(title: string, head: string, rows: string[]): string[] {
  return rows.length === 0 ? [] : [`## ${title}`, '', head, ...rows, '']
}

/** What an agent says is never Markdown. */
export function cell(text: string): string {
  return visible(text).replaceAll(/[|\n<>*_`[\]\\]/g, (found) => (found === '\n' ? ' ' : `\\${found}`))
}

export function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1)
  return `${fence} ${visible(text)
    .replaceAll('\n', ' ')
    .replaceAll('|', String.raw`\|`)} ${fence}`
}
