// What an agent package may need and Viva does not have. `testing.without` lists what a project is tested without.
export const FEATURES = [
  'search',
  'web',
  'fetch',
  'keyword',
  'querydsl',
  'rerank',
  'vision',
  'audio',
  'kb',
  'db',
  'sandbox',
  'computer',
  'workflow',
  'tools',
  'source',
  'uses',
] as const

/** `tested without kb, search`; undefined if nothing was missing. */
export function testedWithout(features: readonly string[] | undefined): string | undefined {
  return features && features.length > 0 ? `tested without ${features.join(', ')}` : undefined
}
