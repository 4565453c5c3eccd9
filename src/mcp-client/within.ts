// Waiting for something no longer than a limit; what is waited for goes on, and its end is ignored.

export interface Limits {
  signal?: AbortSignal | undefined
  timeoutMs: number
}

/** Rejects as `work` does, if that happens in time. */
export function within(work: Promise<unknown>, { signal, timeoutMs }: Limits): Promise<'done' | 'timeout' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => leave('timeout'), timeoutMs)
    const onAbort = (): void => leave('aborted')
    const stop = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const leave = (how: 'done' | 'timeout' | 'aborted'): void => {
      stop()
      resolve(how)
    }
    if (signal?.aborted) return leave('aborted')
    signal?.addEventListener('abort', onAbort, { once: true })
    work.then(
      () => leave('done'),
      (error: unknown) => {
        stop()
        reject(error)
      },
    )
  })
}
