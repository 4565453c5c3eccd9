/** What a judge must repeat, from the text it was sent, as such or inside JSON; empty if it was asked for none. */
export function nonceIn(text: string): string {
  return [...text.matchAll(/\\*"nonce\\*": ?\\*"([0-9a-f]{12})/g)].at(-1)?.[1] ?? ''
}
