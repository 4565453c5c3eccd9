// A short key for a text of any length, where keeping the text would cost too much. Not for secrets. Runs in the browser too.

/** 53 bits: among thousands of texts no two share a key by chance. */
export function textHash(text: string): string {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return ((high & 0x1fffff) * 0x100000000 + (low >>> 0)).toString(36)
}
