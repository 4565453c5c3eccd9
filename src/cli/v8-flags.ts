// V8's flags for a run of many cases, which produces garbage and keeps next to nothing.

const MANY_CASES = 1000
const ENOUGH_TO_OPTIMISE = 5000
const VERY_MANY_CASES = 50_000

/** V8 prints an error for a flag it does not know, so a version that was never tried is left alone. */
export function tuningFlags(cases: number, times: number, v8: string): string[] {
  const version = Number.parseInt(v8, 10)
  if (cases < MANY_CASES || !isTried(version)) return []
  const flags = [
    // V8 guesses from the first cases that their objects live long, and puts those of all later ones where only a full
    // collection finds them: half the CPU of 200,000 cases went there.
    '--no-allocation-site-pretenuring',
    // Optimising our largest functions together with everything they call takes longer than it ever saves.
    '--max-inlined-bytecode-size-cumulative=300',
  ]
  // All cases take the same path through the code: it need not be profiled for long before it is compiled well. A run that
  // is over by then would spend a third of its CPU on it. Later versions have no such flag.
  if (version === 11) flags.push(`--interrupt-budget=${cases * times < ENOUGH_TO_OPTIMISE ? 800_000 : 33_000}`)
  if (cases > VERY_MANY_CASES) flags.push('--heap-growing-percent=50')
  return flags
}

/** From Node 20 to Node 26. */
export function isTried(v8: number): boolean {
  return v8 >= 11 && v8 <= 14
}
