/** In a child process: what is printed goes to streams of ours. Made once, so that `process.stdout` stays one object. */
export function replaceStreams(make: (fd: number) => unknown): void {
  for (const [name, fd] of [
    ['stdout', 1],
    ['stderr', 2],
  ] as const) {
    const stream = make(fd)
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream })
  }
}
