// Seeded random numbers, so that a resampled interval is the same each time it is computed.

export type Random = () => number

/** Uniform in [0, 1), by the sfc32 generator. */
export function seededRandom(seed: number): Random {
  let a = seed | 0
  let b = 0x9e3779b9 | 0
  let c = 0x243f6a88 | 0
  let counter = 1
  const next = () => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return (t >>> 0) / 4294967296
  }
  // The first values still look like the seed.
  for (let warmUp = 0; warmUp < 15; warmUp++) next()
  return next
}
