// Numbers and times as the pages show them, where there is little room.
import { formatCount } from '../../../base/format.js'

/** 12,345 as `12.3k`. */
export function formatShort(count: number): string {
  if (count < 10_000) return formatCount(count)
  return count < 1e6 ? `${Number((count / 1e3).toFixed(1))}k` : `${Number((count / 1e6).toFixed(1))}M`
}

export function formatTime(timestamp: string): string {
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return timestamp
  return date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}
