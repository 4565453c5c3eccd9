// V8's settings for a run of many cases, which makes garbage and keeps next to nothing. Only here: the process of somebody
// who uses the library is not ours to tune.
import { setFlagsFromString } from 'node:v8'

const MANY_CASES = 1000
const ENOUGH_TO_OPTIMISE = 5000
const VERY_MANY_CASES = 50_000

/** Before the cases, or the answers of a recording, are read: what is compiled then is compiled this way. */
export function tuneFor(cases: number, times = 1): void {
  if (cases < MANY_CASES) return
  // V8 guesses from the first cases that their objects live long, and puts those of all later ones where only a full
  // collection finds them: half the CPU of 200,000 cases went there.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Optimising our largest functions together with all they call takes longer than it ever saves.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300')
  // All cases take the same way through the code: it need not be watched for long before it is compiled well. A run that
  // is over by then would spend a third of its CPU on it.
  setFlagsFromString(`--interrupt-budget=${cases * times < ENOUGH_TO_OPTIMISE ? 800_000 : 33_000}`)
  if (cases > VERY_MANY_CASES) setFlagsFromString('--heap-growing-percent=50')
}
