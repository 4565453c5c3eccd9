// Files that a good tool refuses, contains or accepts, with what must hold for each.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface BadInput {
  file: string
  kind: 'cases' | 'context' | 'package' | 'results' | 'responses' | 'mcp'
  expect: 'accept' | 'accept_warn' | 'error' | 'case_error' | 'contain' | 'tool_error'
  /** What has to hold, in words. */
  must: string
  exit?: number
  /** The first line that must be named. */
  line?: number
  /** How many cases load. */
  cases?: number
  status?: number
  headers?: Record<string, string>
  path: string
}

const FOLDER = new URL('../fixtures/bad-inputs/', import.meta.url)

export function badInputs(kind: BadInput['kind']): BadInput[] {
  return readFileSync(new URL('index.jsonl', FOLDER), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Omit<BadInput, 'path'>)
    .filter((entry) => entry.kind === kind)
    .map((entry) => ({ ...entry, path: fileURLToPath(new URL(entry.file, FOLDER)) }))
}
