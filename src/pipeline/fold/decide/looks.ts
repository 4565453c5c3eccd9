// When a sequential comparison may be checked, and how much of its level each look may spend.

/** After 1, 2, 3, 5, 8, 13, 21 and 30 runs, for at most 30: each look has about as much news as all before it. */
export function plannedLooks(most: number): number[] {
  const looks: number[] = []
  for (let [look, next] = [1, 2]; look < most; [look, next] = [next, look + next]) looks.push(look)
  return [...looks, most]
}

/**
 * The level of the look after `runs` runs: its share of the whole is its share of the planned runs. The shares add up to
 * the whole, so that all looks together keep it however they depend on each other.
 */
export function levelAt(runs: number, looks: readonly number[], level: number): number {
  const most = looks.at(-1) ?? 0
  const at = looks.indexOf(runs)
  if (at < 0) throw new RangeError(`${runs} runs are not a planned look: ${looks.join(', ')}`)
  return (level * (runs - (looks[at - 1] ?? 0))) / most
}
