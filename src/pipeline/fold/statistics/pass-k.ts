// pass^k (all of k runs pass) and pass@k (at least one does), unbiased, from `passes` out of `runs`.

/** C(passes, k) / C(runs, k); null if there were fewer than k runs. */
export function passHatK(passes: number, runs: number, k: number): number | null {
  if (k < 1 || runs < k) return null
  let product = 1
  for (let i = 0; i < k; i++) product *= Math.max(0, passes - i) / (runs - i)
  return product
}

/** 1 − C(fails, k) / C(runs, k); null if there were fewer than k runs. */
export function passAtK(passes: number, runs: number, k: number): number | null {
  const noneOfThem = passHatK(runs - passes, runs, k)
  return noneOfThem === null ? null : 1 - noneOfThem
}
