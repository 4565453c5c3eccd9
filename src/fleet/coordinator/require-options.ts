// What `viva test` can do alone and a fleet cannot: reported before anything runs.
import type { OptionRow } from '../../config/option-row.js'
import { OPTION_NAMES, OPTIONS, type RunOptions } from '../../config/options.js'
import { UserError } from '../../errors.js'

export function requireFleetOptions(options: RunOptions): void {
  for (const name of OPTION_NAMES) {
    const { fleet }: OptionRow['rules'] = OPTIONS[name].rules
    const value = options[name]
    if (typeof fleet === 'string' || value === undefined || value === false) continue
    if (fleet.when && !fleet.when({ ...options })) continue
    const message = `${fleet.refused} does not work with --queue`
    throw new UserError({ code: 'NOT_WITH_QUEUE', message, hint: fleet.hint })
  }
}
