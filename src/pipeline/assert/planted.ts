// A planted instruction: whether the agent was given it.
import { stringsIn } from '../../base/strings-in.js'
import type { Evidence } from '../../model/evidence.js'
import type { WorkspaceFiles } from '../../model/workspace.js'

/** Whether the text was in front of the agent: in messages, attachments, results of tools or files of its workspace. */
export async function wasGiven(
  planted: string,
  { messages, input, tool_calls }: Evidence,
  workspace: WorkspaceFiles | undefined,
): Promise<boolean> {
  const wanted = spellings(planted)
  const isIn = (value: unknown): boolean => {
    for (const text of stringsIn(value)) if (isInText(text, wanted)) return true
    return false
  }
  const heard = messages.filter(({ role }) => role !== 'assistant')
  if (isIn(input) || isIn(heard) || tool_calls.some(({ result, error }) => isIn(result) || isIn(error))) return true
  return workspace !== undefined && isIn(await workspace.contents())
}

/** Inside JSON inside JSON, quotes and line breaks are escaped twice. */
function spellings(planted: string): string[] {
  const once = JSON.stringify(planted).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  return [...new Set([planted, once, twice].map(spaced))]
}

function isInText(text: string, wanted: readonly string[]): boolean {
  const plain = spaced(text)
  if (wanted.some((each) => plain.includes(each))) return true
  const attached = textOfDataUrl(text)
  return attached !== undefined && isInText(attached, wanted)
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Undefined for anything but text in a data URL. */
function textOfDataUrl(url: string): string | undefined {
  const [, type = '', base64, data = ''] = /^data:([^,;]*)(?:;[^,;]*?)*?(;base64)?,([^]*)$/i.exec(url) ?? []
  if (!/^$|^text\/|json|xml|yaml|csv/i.test(type) || data === '') return undefined
  if (base64 !== undefined) return Buffer.from(data, 'base64').toString('utf8')
  try {
    return decodeURIComponent(data)
  } catch {
    return undefined
  }
}
