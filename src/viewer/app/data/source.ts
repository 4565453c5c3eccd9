// Where the application gets a run from: the page itself, or a server that follows one.
import type {
  ErrorEvent,
  PromptEvent,
  ResultEvent,
  StabilityEvent,
  StartEvent,
  SummaryEvent,
} from '../../../model/event.js'
import type { PackedRow } from '../../../model/result-row.js'
import type { HistoryPoint } from '../../../model/run-entry.js'
import type { CaseName } from '../../../model/run-key.js'
import type { VariantsOverview } from '../../../model/variants-overview.js'
import type { Result } from './cases.js'

/** What a source reports, in the order of the event stream. */
export interface Sink {
  reset(): void
  start(event: StartEvent): void
  rows(rows: PackedRow[], at: number[]): void
  stability(events: StabilityEvent[]): void
  prompt(event: PromptEvent): void
  error(event: ErrorEvent): void
  summary(event: SummaryEvent): void
  variants(overview: VariantsOverview): void
  /** Cases that have begun and not ended. */
  running(ids: string[]): void
  state(state: SourceState): void
}

/** `ended`: nothing more will come. `lost`: the server is gone. `refused`: it does not know us. */
export type SourceState = 'loading' | 'following' | 'ended' | 'lost' | 'refused'

export interface Source {
  live: boolean
  open(sink: Sink): void
  close(): void
  detail(result: Result): Promise<ResultEvent>
  /** The same if it is available immediately; printing cannot wait. */
  detailNow(result: Result): ResultEvent | undefined
  /** For export: all of them, in the given order. */
  details(results: Result[]): Promise<ResultEvent[]>
  history?(name: CaseName): Promise<HistoryPoint[]>
}
