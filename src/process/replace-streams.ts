/** In a child process: redirects what is printed to our own streams. Done once, so that `process.stdout` stays one object. */
export function replaceStreams(make: (fd: number) => unknown): void {
  for (const [name, fd] of [
    ['stdout', 1],
    ['stderr', 2],
  ] as const) {
    const stream = make(fd)
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream })
  }
}
