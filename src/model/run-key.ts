// One text for one run of one case.

export function runKey(id: string, run: number): string {
  return `${run}\0${id}`
}
