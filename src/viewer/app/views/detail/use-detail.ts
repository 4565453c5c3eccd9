// Which run of a case is shown, and everything about it, asked for when it is.
import { useEffect, useState } from 'preact/hooks'
import type { ResultEvent } from '../../../../model/event.js'
import type { Case, Result } from '../../data/cases.js'
import type { Source } from '../../data/source.js'

export function pickRun(item: Case, run: number | undefined): Result | undefined {
  if (run !== undefined) return item.results.find((result) => result.run === run) ?? item.results[0]
  // Whoever opens a case that failed once wants to see that run.
  return item.results.find((result) => result.status === 'failed') ?? item.results[0]
}

export function useDetail(source: Source | undefined, result: Result | undefined): ResultEvent | undefined {
  const [loaded, setLoaded] = useState<{ result: Result; event: ResultEvent }>()
  useEffect(() => {
    if (!result) return undefined
    let wanted = true
    void source
      ?.detail(result)
      .then((event) => wanted && setLoaded({ result, event }))
      .catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [source, result])
  return loaded?.result === result ? loaded?.event : undefined
}
