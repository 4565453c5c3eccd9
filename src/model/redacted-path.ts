// A place in JSON whose value is never written: its path, or with `watch` its path and the wish that a change is seen.

export type RedactedPath = string | { path: string; watch?: boolean | undefined }

export function pathTexts(entries: readonly RedactedPath[] = []): string[] {
  return entries.map((entry) => (typeof entry === 'string' ? entry : entry.path))
}

export function watchedPaths(entries: readonly RedactedPath[] = []): string[] {
  return entries.flatMap((entry) => (typeof entry !== 'string' && entry.watch ? [entry.path] : []))
}
