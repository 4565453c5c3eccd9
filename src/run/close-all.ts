// Closing what was opened, in reverse order.

export type Closer = () => Promise<void>

/** All of them, whatever one throws; the first error is thrown in the end. */
export async function closeAll(closers: readonly Closer[]): Promise<void> {
  const errors: unknown[] = []
  for (const close of closers.toReversed()) await close().catch((error: unknown) => void errors.push(error))
  if (errors.length > 0) throw errors[0]
}
