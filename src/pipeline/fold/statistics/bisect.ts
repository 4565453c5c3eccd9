// Where a condition that holds on the left and not on the right changes.

/** The interval is halved `steps` times. */
export function bisect(from: number, to: number, isLeft: (at: number) => boolean, steps = 50): number {
  let [left, right] = [from, to]
  for (let step = 0; step < steps; step++) {
    const middle = (left + right) / 2
    if (isLeft(middle)) left = middle
    else right = middle
  }
  return (left + right) / 2
}
