// The ways to name the first wrong step that were measured before the product's was kept: for an honest leave-one-out.
const MADE_UP =
  /\b(?:let(?:'|\u2019)?s assume|(?:we|i)(?:'ll| will| can)? assume|assuming (?:that|the|we)|hypothetical|simulat(?:e|ed|ing) (?:the |a |some )?(?:data|results?|values?|output)|mock data|dummy data|(?:sample|example|placeholder) (?:data|values?)|for (?:the sake of|demonstration|illustration)|as an example, (?:let|suppose)|suppose (?:that|the|we))/i

const isOwn = ({ kind }) => kind === 'acts' || kind === 'says'
const isAct = ({ kind }) => kind === 'acts'
const find = (steps, test) => {
  const at = steps.findIndex(test)
  return at === -1 ? undefined : at
}
const nextOwn = (steps, from) => find(steps, (step, at) => at > from && isOwn(step))
const given = (steps) => steps.filter(({ kind }) => kind === 'asks')

const madeUp = (steps) => find(steps, (step) => isOwn(step) && MADE_UP.test(step.text))
const firstAct = (steps) => find(steps, isAct)
const firstClaim = (steps) => {
  const known = given(steps)
    .map(({ text }) => text.toLowerCase())
    .join('\n')
  return find(steps, ({ kind, text }) => kind === 'says' && [...valuesIn(text)].some((value) => !known.includes(value)))
}
const fallback = (steps) =>
  madeUp(steps) ??
  (steps.some(isAct) ? firstAct(steps) : (firstClaim(steps) ?? find(steps, ({ kind }) => kind === 'says')))

/** Said after an error, without trying again at once. */
const talkedOn = (steps) => {
  for (const [at, { kind, failed }] of steps.entries()) {
    const next = kind === 'sees' && failed ? nextOwn(steps, at) : undefined
    if (next !== undefined && steps[next].kind === 'says') return next
  }
  return undefined
}

/** Said after an error that was the end of all tries. */
const gaveUp = (steps) => {
  const error = find(steps, ({ kind, failed }, at) => kind === 'sees' && failed && !steps.slice(at).some(isAct))
  return error === undefined ? undefined : nextOwn(steps, error)
}

const unused = (steps) => {
  for (const [at, { kind, failed, text }] of steps.entries()) {
    if (kind !== 'sees' || failed) continue
    const values = [...valuesIn(text)]
    const next = nextOwn(steps, at)
    if (values.length === 0 || next === undefined || steps[next].kind !== 'says') continue
    const later = steps.slice(next).filter((step) => step.kind !== 'asks')
    if (!later.some((step) => values.some((value) => step.text.toLowerCase().includes(value)))) return next
  }
  return undefined
}

/** The step that brought most of what the last words say and the question does not. */
const origin = (steps) => {
  const last = steps.findLast((step) => isOwn(step) && valuesIn(step.text).size > 0)
  if (last === undefined) return undefined
  const known = new Set(given(steps).flatMap(({ text }) => [...valuesIn(text)]))
  const counts = new Map()
  for (const value of valuesIn(last.text)) {
    if (known.has(value)) continue
    const at = steps.findIndex(({ kind, text }) => kind !== 'asks' && valuesIn(text).has(value))
    counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  const at = [...counts].toSorted(([a, many], [b, more]) => more - many || a - b)[0]?.[0]
  if (at === undefined || steps[at]?.kind !== 'sees') return at
  const act = steps.slice(0, at).findLastIndex(isAct)
  return act === -1 ? at : act
}

function valuesIn(text) {
  const prose = text.replaceAll(/```[\s\S]*?(?:```|$)/g, ' ')
  const found = [
    ...prose.matchAll(/(?<![\w.])\d+(?:[.,:/-]\d+)*(?!\w)/g),
    ...prose.matchAll(/\*\*([^*\n]{1,80})\*\*/g),
    ...prose.matchAll(/["\u201c]([^"\u201d\n]{1,80})["\u201d]/g),
  ].map(([all, inner]) => (inner ?? all).toLowerCase())
  return new Set(found.filter((value) => value.length > 1))
}

const earlier = (a, b) => (a === undefined ? b : b === undefined ? a : Math.min(a, b))

/** `product`: what is kept. */
export const variants = (product) => [
  product,
  (steps) => product(steps.map(({ code: _code, ...step }) => step)),
  fallback,
  (steps) => madeUp(steps) ?? talkedOn(steps) ?? fallback(steps),
  (steps) => madeUp(steps) ?? unused(steps) ?? fallback(steps),
  (steps) => madeUp(steps) ?? gaveUp(steps) ?? unused(steps) ?? fallback(steps),
  (steps) => earlier(madeUp(steps), origin(steps)) ?? firstAct(steps),
]
