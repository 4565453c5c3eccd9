// Which run of a case is shown, and everything about it, fetched on demand.
import { useEffect, useState } from 'preact/hooks'
import type { ResultEvent } from '../../../../model/event.js'
import type { Case, Result } from '../../data/cases.js'
import type { Source } from '../../data/source.js'

export function pickRun(item: Case, run: number | undefined): Result | undefined {
  if (run !== undefined) return item.results.find((result) => result.run === run) ?? item.results[0]
  // Someone who opens a case that failed once wants to see that run.
  return item.results.find((result) => result.status === 'failed') ?? item.results[0]
}

export function useDetail(source: Source | undefined, result: Result | undefined): ResultEvent | undefined {
  return useDetails(source, [result])[0]
}

/** Several at a time, each as it arrives. */
export function useDetails(
  source: Source | undefined,
  results: ReadonlyArray<Result | undefined>,
): Array<ResultEvent | undefined> {
  const [loaded, setLoaded] = useState<ReadonlyMap<Result, ResultEvent>>(new Map())
  useEffect(() => {
    let wanted = true
    for (const result of results) {
      if (!result) continue
      void source
        ?.detail(result)
        .then((event) => wanted && setLoaded((old) => keep(old, results, result, event)))
        .catch(() => undefined)
    }
    return () => {
      wanted = false
    }
  }, [source, ...results])
  return results.map((result) => result && loaded.get(result))
}

/** Nothing is kept of what is no longer shown. */
function keep(
  old: ReadonlyMap<Result, ResultEvent>,
  results: ReadonlyArray<Result | undefined>,
  fresh: Result,
  event: ResultEvent,
): ReadonlyMap<Result, ResultEvent> {
  const kept = [...old].filter(([result]) => result !== fresh && results.includes(result))
  return new Map([...kept, [fresh, event]])
}
