// A change that a call has left behind, in words.
import type { StateChange } from '../../../../model/contract.js'

const PLACES = { workspace: 'the working folder', home: 'HOME', install: 'its install folder' } as const

export function describeChange({ where, change, what, aside }: StateChange): string {
  if (where === 'reader') return `the answer of ${what} was different`
  const file = aside === undefined ? what : `${what} (a ${aside})`
  return `${file} was ${change} in ${PLACES[where]}`
}
