// The opened case beside (or, on a small screen, over) the table.
import { useEffect, useState } from 'preact/hooks'
import type { ResultEvent } from '../../../../model/event.js'
import type { Case, Result } from '../../data/cases.js'
import { closeCase, move, openCase } from '../../data/navigate.js'
import { list, opened, source, sourceState, version } from '../../data/store.js'
import { visible } from '../../../../base/hidden.js'
import { CopyButton } from '../copy-button.js'
import { Glyph } from '../icons.js'
import { CaseDetail } from './case-detail.js'
import { RunTabs } from './run-tabs.js'

export function Panel() {
  const place = opened.value
  void version.value
  const item = place && list.find(place.id)
  const result = item && pickRun(item, place.run)
  const event = useDetail(result)
  if (!place) return null
  return (
    <aside class="detail" id="detail" tabIndex={-1} aria-label={`Case ${visible(place.id)}`}>
      <div class="detail-bar no-print">
        <button type="button" class="ghost" onClick={closeCase}>
          <Glyph name="close" />
          <span class="sr-only">Close the case</span>
        </button>
        <span class="detail-bar-id">
          <bdi>{visible(place.id)}</bdi>
        </span>
        <CopyButton key={place.id} glyph="link" label="Copy a link to this case" text={() => location.href} />
        <button type="button" class="ghost" onClick={() => move(-1)}>
          <Glyph name="up" />
          <span class="sr-only">Previous case</span>
        </button>
        <button type="button" class="ghost" onClick={() => move(1)}>
          <Glyph name="down" />
          <span class="sr-only">Next case</span>
        </button>
      </div>
      <div class="detail-body" tabIndex={0} role="region" aria-label="Details" key={`${place.id}/${result?.run}`}>
        {item && item.results.length > 1 && (
          <RunTabs item={item} run={result?.run ?? 1} onPick={(run) => openCase(item.id, run)} />
        )}
        {item && result && event ? (
          <CaseDetail item={item} result={result} event={event} />
        ) : (
          <p class="loading">{missingText(item)}</p>
        )}
      </div>
    </aside>
  )
}

function missingText(item: Case | undefined): string {
  if (item || sourceState.value === 'loading') return 'Loading…'
  return sourceState.value === 'following'
    ? 'No result for this case yet.'
    : 'There is no case with this id in the run.'
}

export function pickRun(item: Case, run: number | undefined): Result | undefined {
  if (run !== undefined) return item.results.find((result) => result.run === run) ?? item.results[0]
  // Whoever opens a case that failed once wants to see that run.
  return item.results.find((result) => result.status === 'failed') ?? item.results[0]
}

function useDetail(result: Result | undefined): ResultEvent | undefined {
  const [loaded, setLoaded] = useState<{ result: Result; event: ResultEvent }>()
  useEffect(() => {
    if (!result) return undefined
    let wanted = true
    void source.value
      ?.detail(result)
      .then((event) => wanted && setLoaded({ result, event }))
      .catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [result])
  return loaded?.result === result ? loaded?.event : undefined
}
