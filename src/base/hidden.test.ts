import { expect, test } from 'vitest'
import { visible as inReports } from '../pipeline/report/text.js'
import { visible as inViewer } from '../viewer/app/text/visible.js'
import { escapeControls } from './text.js'

// Character, on the console, in the other reports, in the viewer.
test.each([
  ['\n', '\\n', '\n', '\n'],
  ['\t', '\\t', '\t', '\t'],
  ['\r', '\\r', '', '\\r'],
  ['\r\n', '\\r\\n', '\n', '\r\n'],
  ['\u0000', '\\u0000', '\\x00', '\\x00'],
  ['\u001b', '\\u001b', '\\x1b', '\\e'],
  ['\u0085', '\\u0085', '\\x85', '\\x85'],
  ['\u00ad', '\u00ad', '\u00ad', '\\xad'],
  ['\u061c', '\u061c', '\\u061c', '\\u{61c}'],
  ['\u180e', '\u180e', '\u180e', '\\u{180e}'],
  ['\u200b', '\u200b', '\u200b', '\\u{200b}'],
  ['\u200d', '\u200d', '\u200d', '\u200d'],
  ['\u202e', '\\u202e', '\\u202e', '\\u{202e}'],
  ['\u2060', '\u2060', '\u2060', '\\u{2060}'],
  ['\u2066', '\\u2066', '\\u2066', '\\u{2066}'],
  ['\ufeff', '\\ufeff', '\\ufeff', '\\u{feff}'],
  ['\ufff9', '\ufff9', '\ufff9', '\\u{fff9}'],
  ['\uffff', '\uffff', '\ufffd', '\uffff'],
  ['\ud800', '\\ud800', '\ufffd', '\\u{d800}'],
  ['\u{e0041}', '\u{e0041}', '\u{e0041}', '\\u{e0041}'],
  ['é', 'é', 'é', 'é'],
])('%j', (text, console, reports, viewer) => {
  expect([escapeControls(text), inReports(text), inViewer(text)]).toEqual([console, reports, viewer])
})
