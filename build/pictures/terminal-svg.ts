// Lines of a terminal as a small SVG: the command is typed, then line after line appears. It stands still for those who prefer that.
import type { StyledText } from '../../test/support/screen.js'

const FONT = 13
const WIDE = 7.83
const HIGH = 18
const EDGE = 16
const BAR = 30

const COLOURS: Record<number, string> = {
  31: '#ff8a80',
  32: '#7ddba3',
  33: '#f2cc60',
  34: '#82b4ff',
  35: '#d7a6ff',
  36: '#7fd7e0',
  90: '#8b949e',
}

export function terminalSvg(lines: StyledText[][], title: string): string {
  const columns = Math.max(...lines.map(lengthOf))
  const width = Math.ceil(columns * WIDE + 2 * EDGE)
  const height = lines.length * HIGH + 2 * EDGE + BAR
  const seconds = (index: number): string => (index === 0 ? 0.2 : 1 + index * 0.09).toFixed(2)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    '<style>',
    `text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}`,
    '.b{font-weight:600}.d{opacity:.65}',
    ...Object.entries(COLOURS).map(([code, colour]) => `.c${code}{fill:${colour}}`),
    '.l{animation:a .01s both}@keyframes a{from{visibility:hidden}to{visibility:visible}}',
    '@media(prefers-reduced-motion:reduce){.l{animation:none}}',
    '</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, i) => `<circle cx="${20 + i * 18}" cy="${BAR / 2 + 2}" r="5.5" fill="${fill}"/>`,
    ),
    ...lines.flatMap((line, index) =>
      line.length === 0
        ? []
        : [
            `<text class="l" x="${EDGE}" y="${BAR + EDGE + index * HIGH + FONT - 3}" textLength="${(lengthOf(line) * WIDE).toFixed(1)}" style="animation-delay:${seconds(index)}s">${line.map(span).join('')}</text>`,
          ],
    ),
    '</svg>',
    '',
  ].join('\n')
}

function lengthOf(line: StyledText[]): number {
  return line.reduce((sum, { text }) => sum + text.length, 0)
}

function span({ text, style }: StyledText): string {
  const classes = style.flatMap((code) =>
    code === 1 ? ['b'] : code === 2 ? ['d'] : code in COLOURS ? [`c${code}`] : [],
  )
  return classes.length === 0 ? escape(text) : `<tspan class="${classes.join(' ')}">${escape(text)}</tspan>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
