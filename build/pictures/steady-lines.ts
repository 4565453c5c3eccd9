// What a terminal shows, with durations and times that stay the same.
import type { StyledText } from '../../test/support/screen.js'

const DURATIONS = ['31ms', '12ms', '9ms', '14ms', '26ms', '15ms', '118ms']
const MASKS: [RegExp, string[]][] = [
  [/\b\d+(?:\.\d+)?m?s\b/g, DURATIONS],
  [/\b20\d{12}\b/g, ['20260314093000']],
]

export function steadyLines(lines: StyledText[][], folder: string): StyledText[][] {
  let count = 0
  return lines.map((line) =>
    line.map(({ text, style }) => ({
      style,
      text: MASKS.reduce(
        (masked, [pattern, values]) => masked.replaceAll(pattern, () => values[count++ % values.length] ?? ''),
        text.replaceAll(`${folder}/`, ''),
      ),
    })),
  )
}
