// `--practical`: how large a difference must be to count. One row and one reading for every command.
import { parsePercent } from '../base/parse-percent.js'
import { asText } from '../base/text.js'
import { UserError } from '../errors.js'
import type { Flag } from './flags.js'

export const PRACTICAL_FLAG: Flag = {
  key: 'practical',
  long: '--practical',
  value: '<percent>',
  kind: 'percent',
  min: 0,
  max: 100,
  default: '5',
  group: 'Running',
  description: 'smallest difference that counts: percent of time and cost, percentage points of behaviour',
}

/** 1 means 1%, not 100%. */
export function practicalOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const text = asText(value).trim()
  const percent = parsePercent(text)
  if (percent >= 0 && percent <= 100) return percent
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: PRACTICAL_FLAG.long },
    message: `expected a percentage from 0 to 100, found "${text}"`,
    hint: 'for example: --practical 5, 5% or 0.05',
  })
}
