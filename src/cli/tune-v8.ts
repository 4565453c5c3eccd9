// V8's settings for a run of many cases, which makes garbage and keeps next to nothing. Only here: the process of somebody
// who uses the library is not ours to tune.
import { setFlagsFromString } from 'node:v8'

const MANY_CASES = 1000
const VERY_MANY_CASES = 50_000

/** Before the cases are read: what is compiled then is compiled this way. */
export function tuneFor(cases: number): void {
  if (cases < MANY_CASES) return
  // V8 guesses from the first cases that their objects live long, and puts those of all later ones where only a full
  // collection finds them: half the CPU of 200,000 cases went there.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Optimising our largest functions together with all they call takes longer than it ever saves.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300')
  // All cases take the same way through the code: it need not be watched for long before it is compiled well.
  setFlagsFromString('--interrupt-budget=33000')
  if (cases > VERY_MANY_CASES) setFlagsFromString('--heap-growing-percent=50')
}
