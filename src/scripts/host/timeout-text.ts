// `timeout after 30s`: the seeds' words, with the duration as a person would have written it.

export function timeoutText(ms: number): string {
  return `timeout after ${shortDuration(ms)}`
}

function shortDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const parts: [number, string][] = [
    [Math.floor(ms / 3_600_000), 'h'],
    [Math.floor(ms / 60_000) % 60, 'm'],
    [Math.round((ms % 60_000) / 10) / 100, 's'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join('')
}
