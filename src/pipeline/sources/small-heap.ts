// A run of very many cases makes garbage, not data: let the heap grow less before it is cleaned.
import { setFlagsFromString } from 'node:v8'

const MANY_CASES = 50_000

export function keepHeapSmall(cases: number): void {
  if (cases > MANY_CASES) setFlagsFromString('--heap-growing-percent=50')
}
