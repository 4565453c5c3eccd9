// JSON as people read it: indented, a whole text with its last line ended.

export function prettyJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
