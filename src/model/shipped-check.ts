// Checks that ship with Viva and are named in script assertions: `viva:promptfoo/is-json`. Their code is in `templates/checks/`.

/** The tool whose verdicts it gives, and its name there. */
export const SHIPPED_CHECKS = [
  'promptfoo/assert-set',
  'promptfoo/bleu',
  'promptfoo/contains',
  'promptfoo/contains-all',
  'promptfoo/contains-any',
  'promptfoo/contains-json',
  'promptfoo/equals',
  'promptfoo/finish-reason',
  'promptfoo/gleu',
  'promptfoo/icontains',
  'promptfoo/icontains-all',
  'promptfoo/icontains-any',
  'promptfoo/is-json',
  'promptfoo/is-xml',
  'promptfoo/javascript',
  'promptfoo/levenshtein',
  'promptfoo/python',
  'promptfoo/regex',
  'promptfoo/starts-with',
  'promptfoo/word-count',
] as const

export type ShippedCheck = (typeof SHIPPED_CHECKS)[number]

/** What references to them, and imports of their code, begin with. */
export const SHIPPED_PREFIX = 'viva:'

export function isShippedCheck(name: string): name is ShippedCheck {
  return (SHIPPED_CHECKS as readonly string[]).includes(name)
}

/** The check that a reference means; undefined if there is no such check. */
export function shippedCheckOf(ref: string): ShippedCheck | undefined {
  const name = ref.slice(SHIPPED_PREFIX.length)
  return ref.startsWith(SHIPPED_PREFIX) && isShippedCheck(name) ? name : undefined
}
