// Sets V8's flags for a run of many cases. Only here: the process of a library user is not ours to tune.
import { setFlagsFromString } from 'node:v8'
import { tuningFlags } from './v8-flags.js'

/** Before the cases, or the answers of a recording, are read: what is compiled then is compiled this way. */
export function tuneFor(cases: number, times = 1): void {
  for (const flag of tuningFlags(cases, times, process.versions.v8)) setFlagsFromString(flag)
}
