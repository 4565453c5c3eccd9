// The address bar: `#T001` opens a case, `#T001/3` its third run, `#T001?step=5` shows a step of it, and what else
// follows a `?` filters and sorts. A link
// shows others what its sender saw. In the live viewer the fragment first carries the key.
import {
  FAILURES_FIRST,
  isChangeFilter,
  isDifferFilter,
  isSortKey,
  isStatusFilter,
  NO_FILTER,
  type Filter,
  type Sort,
} from './filter.js'
import { decodeUri } from '../../../base/text.js'

/** An opened case. */
export interface Place {
  id: string
  run?: number
  /** If there are several. */
  variant?: string
  /** Of its transcript, from 1. */
  step?: number
}

export interface Address {
  place?: Place | undefined
  filter: Filter
  sort: Sort
  /** The run being viewed, if a server offers several. */
  viewed?: string | undefined
  /** The earlier run that it is compared with. */
  earlier?: string | undefined
  /** With several variants: their answers in the table. */
  answers?: true
}

export function parseHash(hash: string): Address {
  const text = hash.startsWith('#key=') ? '' : hash.replace(/^#/, '')
  const [path = '', ...rest] = text.split('?')
  const query = new URLSearchParams(rest.join('?'))
  const status = query.get('status') ?? ''
  const change = query.get('change') ?? ''
  const differ = query.get('differ') ?? ''
  return {
    place: parsePlace(path, query),
    filter: {
      text: query.get('q') ?? '',
      status: isStatusFilter(status) ? status : NO_FILTER.status,
      tag: query.get('tag') ?? '',
      kind: query.get('kind') ?? '',
      cause: query.get('cause') ?? '',
      change: isChangeFilter(change) ? change : NO_FILTER.change,
      variant: query.get('variant') ?? '',
      differ: isDifferFilter(differ) ? differ : NO_FILTER.differ,
    },
    sort: parseSort(query.get('sort') ?? ''),
    viewed: query.get('view') ?? undefined,
    earlier: query.get('with') ?? undefined,
    ...(query.get('table') === 'answers' && { answers: true }),
  }
}

export function formatHash({ place, filter, sort, viewed, earlier, answers }: Address): string {
  const query = new URLSearchParams()
  if (filter.text) query.set('q', filter.text)
  if (filter.status !== NO_FILTER.status) query.set('status', filter.status)
  if (filter.tag) query.set('tag', filter.tag)
  if (filter.kind) query.set('kind', filter.kind)
  if (filter.cause) query.set('cause', filter.cause)
  if (filter.change !== NO_FILTER.change) query.set('change', filter.change)
  if (filter.variant) query.set('variant', filter.variant)
  if (filter.differ) query.set('differ', filter.differ)
  if (place?.variant !== undefined) query.set('show', place.variant)
  if (place?.step !== undefined) query.set('step', String(place.step))
  if (sort.key !== FAILURES_FIRST.key || sort.descending) query.set('sort', `${sort.descending ? '-' : ''}${sort.key}`)
  if (viewed) query.set('view', viewed)
  if (earlier) query.set('with', earlier)
  if (answers) query.set('table', 'answers')
  const text = `${place ? formatPlace(place) : ''}${query.size > 0 ? `?${query}` : ''}`
  return text && `#${text}`
}

function parsePlace(path: string, query: URLSearchParams): Place | undefined {
  if (path === '') return undefined
  const [id = '', text] = path.split('/')
  const run = countIn(text)
  const step = countIn(query.get('step'))
  const variant = query.get('show')
  return {
    id: decodeUri(id),
    ...(run === undefined ? {} : { run }),
    ...(variant === null ? {} : { variant }),
    ...(step === undefined ? {} : { step }),
  }
}

function countIn(text: string | null | undefined): number | undefined {
  const number = Number(text)
  return text && Number.isInteger(number) && number > 0 ? number : undefined
}

function formatPlace({ id, run }: Place): string {
  // A lone surrogate cannot be encoded; such an id has no address.
  return `${encodeURIComponent(id.replace(/\p{Cs}/gu, '\ufffd'))}${run === undefined ? '' : `/${run}`}`
}

function parseSort(text: string): Sort {
  const key = text.replace(/^-/, '')
  return isSortKey(key) ? { key, descending: text.startsWith('-') } : FAILURES_FIRST
}
