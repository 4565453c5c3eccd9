// How steady a case is, in the words people read. The seed's `classification` calls what always fails highly unstable.
import type { StabilityEvent } from './event.js'

export type StabilityClass = StabilityEvent['classification'] | 'always_fails'

export const STABILITY_CLASSES: readonly StabilityClass[] = [
  'stable',
  'mostly_stable',
  'unstable',
  'highly_unstable',
  'always_fails',
]

export function stabilityClass({
  passed,
  classification,
}: Pick<StabilityEvent, 'passed' | 'classification'>): StabilityClass {
  return passed === 0 ? 'always_fails' : classification
}

export function classWords(event: Pick<StabilityEvent, 'passed' | 'classification'>): string {
  return stabilityClass(event).replaceAll('_', ' ')
}
