// Changes to an answer after which a judge should say the same.
import { isRecord } from '../../base/record.js'

export interface Probe {
  name: string
  /** What is tried, for people. */
  summary: string
  /** Undefined: this answer cannot be changed so. */
  change(output: unknown): unknown
}

export const PROBES: Probe[] = [
  {
    name: 'order',
    summary: 'items of a list, or keys of an object, in another order',
    change: (output) => (typeof output === 'string' ? otherOrder(output) : otherKeys(output)),
  },
  {
    name: 'length',
    summary: 'a polite sentence more',
    change: onText((text) => `${text}\n\nPlease let me know if there is anything else I can help you with.`),
  },
  {
    name: 'confident tone',
    summary: 'a claim to be certain',
    change: onText((text) => `I am absolutely certain of the following.\n\n${text}`),
  },
  {
    name: "a judge's style",
    summary: 'laid out under a heading, as models like to write',
    change: onText((text) => `## Answer\n\n${text}\n\n---`),
  },
  {
    name: 'position',
    summary: 'the answer after a neutral opening',
    change: onText((text) => `Here is the answer to the question:\n\n${text}`),
  },
]

function onText(change: (text: string) => string): Probe['change'] {
  return (output) => (typeof output === 'string' && output.trim() !== '' ? change(output) : undefined)
}

/** The items of its first plain list, last one first. Numbered steps have an order of their own. */
function otherOrder(text: string): string | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex(isItem)
  if (first === -1) return undefined
  let end = first
  while (end < lines.length && isItem(lines[end] ?? '')) end++
  const items = lines.slice(first, end)
  const changed = [...lines.slice(0, first), ...items.toReversed(), ...lines.slice(end)].join('\n')
  return changed === text ? undefined : changed
}

function isItem(line: string): boolean {
  return /^\s*[-*•]\s/.test(line)
}

function otherKeys(output: unknown): unknown {
  if (!isRecord(output) || Object.keys(output).length < 2) return undefined
  return Object.fromEntries(Object.entries(output).toReversed())
}
