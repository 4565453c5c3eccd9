// Progress is reported for calls that asked for it, and increases.
import { called, EVERYTHING, finding, type Rule } from '../rule.js'

export const progress: Rule = {
  id: 'progress',
  reason: 'clients match progress to calls by its token, and refuse what they cannot match',
  fix: 'use the progressToken of the request, send nothing without one, and increase the value with each notification',
  on: EVERYTHING,
  judge({ probes }) {
    return probes.flatMap((probe) =>
      probe.progress ? [finding(`${called(probe)}: ${probe.progress.join('; ')}`, probe)] : [],
    )
  },
}
