// Text that may not be JSON.

/** Wrapped, so that `null` can be told from what is not JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

export function jsonOrText(text: string): unknown {
  const json = parseJson(text)
  return json ? json.value : text
}
