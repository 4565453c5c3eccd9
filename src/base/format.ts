// Numbers as people read them, the same on the console, in every report and in the viewer.

/** At most one decimal. Never rounds up to 100 or down to 0: one failure in 50,000 is not a full pass. */
export function formatPercent(percent: number): string {
  const rounded = Number(percent.toFixed(1))
  if (rounded >= 100 && percent < 100) return '>99.9%'
  if (rounded <= 0 && percent > 0) return '<0.1%'
  return `${rounded}%`
}

/** With a sign. A bound that excludes 0 must not look as if it touched it: what would round to 0 keeps its digits. */
export function formatPoints(points: number): string {
  const size = Math.abs(points)
  const digits = size === 0 || size >= 0.05 ? size.toFixed(1) : Math.max(size, 0.001).toFixed(3)
  return `${points > 0 ? '+' : points < 0 ? '-' : ''}${digits}`
}

/** Four decimals; anything smaller is shown as smaller, never as 0. */
export function formatP(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${p.toFixed(4)}`
}

/** With a word about where it comes from. */
export function formatSpent(dollars: number, isEstimated: boolean | undefined): string {
  return `${formatCost(dollars)}${isEstimated && dollars > 0 ? ' (estimated)' : ''}`
}

/** Cents from a dollar up; below that, two significant digits. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 1e-6) return '<$0.000001'
  return Number(dollars.toPrecision(2)) < 1
    ? `$${dollars.toPrecision(2)}`
    : `$${dollars.toLocaleString('en-US', CENTS)}`
}

/** 12345 as `12,345`. Not `toLocaleString`: its first call costs a fresh process some 20 ms. */
export function formatCount(count: number): string {
  return String(count).replace(/^(-?)(\d+)/, (_, sign: string, digits: string) => sign + grouped(digits))
}

/** `1 case`, `12,345 cases`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
