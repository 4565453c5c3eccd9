// A percentage as people write it.
import { percentOf } from './round-off.js'

/** 80, 80% and 0.8 are the same; 1 is 1%. NaN for anything but a number. */
export function parsePercent(text: string): number {
  if (!/\d/.test(text)) return Number.NaN
  if (text.endsWith('%')) return Number(text.slice(0, -1))
  const number = Number(text)
  return number > 0 && number < 1 ? percentOf(number) : number
}
