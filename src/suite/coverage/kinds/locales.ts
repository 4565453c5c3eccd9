// Languages of an agent package that a run was in.
import { isRecord } from '../../../base/record.js'
import type { SurfaceKind } from '../kind.js'

export const locales: SurfaceKind = {
  name: 'locales',
  title: 'Locales',
  never: 'no run was in it',
  places: ({ lists }) => lists.locales?.map((name) => ({ name, hint: `run the cases with --locale ${name}` })),
  *reached({ start, result, steps }, { lists }) {
    if (!lists.locales) return
    // It may never have got that far.
    if (steps.length === 0 && result.status !== 'passed' && result.output === undefined) return
    const variant = start.variants?.find(({ name }) => name === result.variant)
    yield declared(variant?.locale ?? start.environment.locale, lists.locales)
    for (const { kind, returned } of steps)
      if (kind === 'hook' && isRecord(returned) && typeof returned['locale'] === 'string')
        yield declared(returned['locale'], lists.locales)
  },
}

/** As packages look messages up: `de-at` has those of `de`. */
function declared(locale: string, known: readonly string[] = []): string {
  const code = locale.toLowerCase().trim()
  if (known.includes(code)) return code
  const [language = code] = code.split('-')
  return known.find((each) => each === language || each.split('-')[0] === language) ?? code
}
