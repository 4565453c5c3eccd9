// The opened case beside (or, on a small screen, over) the table.
import { pickMember, type Case } from '../../data/cases.js'
import { closeCase, move, openResult } from '../../data/navigate.js'
import { linkWithKey } from '../../data/server.js'
import { list, opened, source, sourceState, version } from '../../data/store.js'
import { visible } from '../../../../base/hidden.js'
import { CopyButton } from '../copy-button.js'
import { Glyph } from '../icons.js'
import { RerunCase } from '../rerun.js'
import { CaseDetail } from './case-detail.js'
import { ComparedDetail } from '../compare/compared-detail.js'
import { VariantAnswers } from '../variants/variant-answers.js'
import { RunTabs } from './run-tabs.js'
import { pickRun, useDetail } from './use-detail.js'

export function Panel() {
  const place = opened.value
  void version.value
  const row = place && list.row(place.id)
  const item = row && pickMember(row, place.variant)
  const result = item && pickRun(item, place.run)
  const event = useDetail(source.value, item?.compared ? undefined : result)
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
        {row && <RerunCase id={row.id} />}
        <CopyButton
          key={place.id}
          glyph="link"
          label="Copy a link to this case"
          text={() => (source.value?.live ? linkWithKey() : location.href)}
        />
        <button type="button" class="ghost" onClick={() => move(-1)}>
          <Glyph name="up" />
          <span class="sr-only">Previous case</span>
        </button>
        <button type="button" class="ghost" onClick={() => move(1)}>
          <Glyph name="down" />
          <span class="sr-only">Next case</span>
        </button>
      </div>
      <div class="detail-body" tabIndex={0} role="region" aria-label="Details" key={keyOf(place.id, row, result?.run)}>
        {item?.compared && <ComparedDetail key={item.title} item={item} />}
        {row?.members && item && <VariantAnswers row={row} picked={item} run={place.run} />}
        {item && !item.compared && item.results.length > 1 && (
          <RunTabs item={item} run={result?.run ?? 1} onPick={(run) => openResult(item, run)} />
        )}
        {item && event && <CaseDetail item={item} event={event} ofVariant={row?.members !== undefined} />}
        {!item?.compared && !event && <p class="loading">{missingText(item)}</p>}
      </div>
    </aside>
  )
}

/** Another case begins at its top; another variant of it leaves the reader in place. */
function keyOf(id: string, row: Case | undefined, run: number | undefined): string {
  return row?.members ? id : `${id}/${run}`
}

function missingText(item: Case | undefined): string {
  if (item || sourceState.value === 'loading') return 'Loading…'
  return sourceState.value === 'following'
    ? 'No result for this case yet.'
    : 'There is no case with this id in the run.'
}
