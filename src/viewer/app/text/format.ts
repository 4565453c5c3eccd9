// Numbers as people read them.

export function formatDuration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0ms' : '<1ms'
  if (ms < 1000) return `${Math.round(ms)}ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(2)}s`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}

export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars >= 100) return `$${Math.round(dollars).toLocaleString('en-US')}`
  return dollars >= 1 ? `$${dollars.toFixed(2)}` : `$${Number(dollars.toPrecision(2))}`
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** 12,345 as `12.3k`. */
export function formatShort(count: number): string {
  if (count < 10_000) return formatCount(count)
  return count < 1e6 ? `${Number((count / 1e3).toFixed(1))}k` : `${Number((count / 1e6).toFixed(1))}M`
}

/** Never rounds up to 100 or down to 0: one failure in 50,000 is not a full pass. */
export function formatPercent(percent: number): string {
  if (percent <= 0) return '0%'
  if (percent >= 100) return '100%'
  const rounded = Number(percent.toFixed(1))
  if (rounded >= 100) return '>99.9%'
  return rounded <= 0 ? '<0.1%' : `${rounded}%`
}

export function formatTime(timestamp: string): string {
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return timestamp
  return date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
