// What goes on paper: the numbers, the filtered cases, and the failures (or the open case) in full.
import type { ResultEvent } from '../../../model/event.js'
import { pickMember, type Case, type Result } from '../data/cases.js'
import { list, opened, shown, source } from '../data/store.js'
import { formatDuration } from '../../../base/duration.js'
import { plural } from '../../../base/format.js'
import { visible } from '../../../base/hidden.js'
import { CaseDetail } from './detail/case-detail.js'
import { pickRun } from './detail/use-detail.js'
import { words } from './icons.js'

const MOST_ROWS = 3000
const MOST_DETAILS = 60

export function Paper() {
  const items = shown.value
  const details = detailsToPrint()
  const failed = items.flatMap((item) => item.members ?? [item]).filter((item) => item?.status === 'failed').length
  return (
    <>
      <table class="paper-table">
        <caption>{plural(items.length, 'case')}</caption>
        <thead>
          <tr>
            <th>Status</th>
            <th>Id</th>
            <th>Case</th>
            <th>Time</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, MOST_ROWS).map((item) => (
            <PaperRow key={item.title} item={item} />
          ))}
        </tbody>
      </table>
      {items.length > MOST_ROWS && (
        <p>{plural(items.length - MOST_ROWS, 'more case')} not printed: filter to see them.</p>
      )}
      {details.map(({ item, result, event }) => (
        <CaseDetail key={`${item.title}/${result.run}`} item={item} event={event} paper />
      ))}
      {!opened.value && failed > MOST_DETAILS && (
        <p>{plural(failed - MOST_DETAILS, 'more failure')} not printed in full: filter to see them.</p>
      )}
    </>
  )
}

function PaperRow({ item }: { item: Case }) {
  return (
    <tr class={`status-${item.status}`}>
      <td>
        {item.members
          ? item.members.map((member, at) => <Mark key={at} at={at} member={member} />)
          : words(item.status)}
      </td>
      <td>
        <bdi>{visible(item.title)}</bdi>
      </td>
      <td>
        <bdi>{visible(item.name || item.results[0]?.input || '')}</bdi>
        {item.error && (
          <div>
            <bdi>{visible(item.error)}</bdi>
          </div>
        )}
      </td>
      <td>{formatDuration(item.durationMs)}</td>
    </tr>
  )
}

function Mark({ at, member }: { at: number; member: Case | undefined }) {
  return (
    <div>
      <bdi>{visible(list.variants[at] ?? '')}</bdi>: {member ? words(member.status).toLowerCase() : 'not run'}
    </div>
  )
}

function detailsToPrint(): { item: Case; result: Result; event: ResultEvent }[] {
  const row = opened.value && list.row(opened.value.id)
  const open = row && pickMember(row, opened.value?.variant)
  const failed = shown.value.flatMap((item) => item.members ?? [item]).filter((item) => item?.status === 'failed')
  const items = open ? [open] : failed.slice(0, MOST_DETAILS)
  return items.flatMap((item) => {
    if (!item) return []
    // What only the earlier of two runs has is not in this one.
    const result =
      item.compared?.change === 'only_before' ? undefined : pickRun(item, open ? opened.value?.run : undefined)
    const event = result && source.value?.detailNow(result)
    return result && event ? [{ item, result, event }] : []
  })
}
