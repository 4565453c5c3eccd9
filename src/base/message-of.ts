/** What was thrown, as text: an error's message, or anything else as it prints. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}
