// The few drawings: state is always a shape and a word, never a colour alone.
import { capitalised } from '../../../base/text.js'
import type { ListedStatus } from '../../../model/status.js'

export type Mark = ListedStatus | 'flaky' | 'error' | 'running' | 'not_run'

const PATHS: Record<Mark, string> = {
  passed: 'm5 8.2 2.1 2.1L11.2 6',
  failed: 'm5.6 5.6 4.8 4.8m0-4.8-4.8 4.8',
  skipped: 'M5 8h6',
  not_shown: 'M4.8 11.2 11.2 4.8',
  undetermined: 'M6.2 6.4a1.9 1.9 0 1 1 2.6 1.7c-.6.3-.8.6-.8 1.2M8 11.4v.1',
  flaky: 'M4.4 8.4c1.2-2.4 2.4-2.4 3.6 0s2.4 2.4 3.6 0',
  error: 'M8 4.5v4.2M8 11.3v.1',
  running: 'M8 5v3l2 1.2',
  not_run: 'M5 8h6',
}

export function StatusIcon({ mark, label }: { mark: Mark; label?: string | undefined }) {
  return (
    <svg
      class={`icon status-${mark}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role="img"
      aria-label={label ?? words(mark)}
    >
      <circle cx="8" cy="8" r="7.5" class="icon-ground" />
      <path d={PATHS[mark]} class="icon-line" />
    </svg>
  )
}

export function StatusPill({ mark, text }: { mark: Mark; text?: string | undefined }) {
  return (
    <span class={`pill status-${mark}`}>
      <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={PATHS[mark]} class="icon-line" />
      </svg>
      {text ?? words(mark)}
    </span>
  )
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path
        class="logo-ground"
        d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H15l-7 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"
      />
      <path class="logo-line" d="m9.5 13.5 4.5 4.5 8.5-9" />
    </svg>
  )
}

export type GlyphName = keyof typeof GLYPHS

const GLYPHS = {
  again: 'M12.5 8a4.5 4.5 0 1 1-1.4-3.3M12.7 2.6v2.6h-2.6',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.6-1.4L14 14',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13',
  moon: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z',
  close: 'm3.5 3.5 9 9m0-9-9 9',
  up: 'm3.5 10 4.5-4.5L12.5 10',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  link: 'M6.5 9.5a3 3 0 0 0 4.2 0l2.3-2.3a3 3 0 0 0-4.2-4.2l-.9.9M9.5 6.5a3 3 0 0 0-4.2 0L3 8.8A3 3 0 0 0 7.2 13l.9-.9',
  tool: 'M10.5 2a3.5 3.5 0 0 0-3.3 4.7L2 11.9 4.1 14l5.2-5.2A3.5 3.5 0 0 0 13.8 4l-2.3 2.3-1.8-1.8L12 2.2A3.5 3.5 0 0 0 10.5 2z',
  flag: 'M4 14.5V2.2m0 .6h8l-2 3 2 3H4',
  copy: 'M5.5 5.5V3A1 1 0 0 1 6.5 2H13a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1h-2.5M3 5.5h6.5a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1z',
  play: 'M5 3.2v9.6L12.5 8z',
  model: 'M8 1.5 9.6 6.4 14.5 8l-4.9 1.6L8 14.5 6.4 9.6 1.5 8l4.9-1.6z',
  hook: 'M9.5 1.5v8a3 3 0 1 1-6 0V8m6-6.5a1.5 1.5 0 1 1 0 .01M3.5 8 2 9.8M3.5 8 5 9.8',
  delegate: 'M2 8h11m-4-4 4 4-4 4',
  prompt: 'M3 2h10v12H3zm2.5 3.5h5m-5 2.8h5m-5 2.8h3',
  edit: 'M2.5 13.5 3.3 10 10.8 2.5a1.4 1.4 0 0 1 2 0l.7.7a1.4 1.4 0 0 1 0 2L6 12.7z',
  span: 'M2 4h8M4.5 8h8M7 12h7',
  back: 'm9.5 3.5-4.5 4.5 4.5 4.5',
}

export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg class="glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={GLYPHS[name]} />
    </svg>
  )
}

export function words(mark: Mark): string {
  return capitalised(mark.replace('_', ' '))
}
