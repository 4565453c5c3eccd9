// Trees and the live display on a real terminal: narrow, wide, with wide characters, and nothing left behind.
import { expect, test } from 'vitest'
import { displayWidth } from '../../src/base/width.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

const AGENT = `
export default async (messages, ctx) => {
  await new Promise((resolve) => setTimeout(resolve, ctx.metadata.wait ?? 0))
  const text = messages.at(-1).content
  if (text === 'break') throw new Error('the model behind this agent is not there, and nobody knows when it will be back')
  return text === 'ask' ? '承知しました。種類を教えてください。金額はいくらですか？' : 'Done: ' + text
}
`

const CASES = [
  { id: 'T001', name: '経費精算の流れ', turns: [{ input: 'ask' }, { input: '出張費 3,500 円、領収書あり 👩‍👩‍👧‍👦' }] },
  { id: 'a-rather-long-case-id-that-does-not-fit-a-narrow-terminal', input: 'x', metadata: { wait: 400 } },
  { id: '長い識別子も画面の幅に収まらなければならない', input: 'y', metadata: { wait: 300 } },
  { id: 'T002', turns: [{ input: 'ask' }] },
  { id: 'T003', turns: [{ input: 'break' }, { input: 'never' }] },
  {
    id: 'T004',
    input: 'z',
    assert: { type: 'contains', value: 'a text that is not there and is longer than a narrow terminal is wide' },
  },
  { id: 'T005', skip: true, skip_reason: 'not today', input: 'x' },
]

const ARGS = [
  'agent',
  'test',
  '-i',
  'cases.jsonl',
  '-n',
  './agent.mjs',
  '--parallel',
  '3',
  '-o',
  'out.jsonl',
  '--force',
]

/** Words in order, whatever the lines: results may finish in another order, so each block is compared by itself. */
function blocksOf(text: string): string[] {
  return text
    .replace(/\nEvents: .*/s, '')
    .replaceAll(/\(\d[\d.ms]*\)|\d+ms|\d+\.\ds/g, '(0s)')
    .split(/\n\s*\n/)
    .map((block) => block.replaceAll(/[\s│├└─═]+/g, ''))
    .filter((block) => block !== '')
    .toSorted()
}

test.each([80, 40])('at %i columns everything is shown, no line is broken by the terminal', async (columns) => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
  // In short, a terminal shows less than a pipe gets.
  const args = columns === 80 ? [...ARGS, '-v'] : ARGS
  const terminal = onTerminal(args, { cwd, columns })
  expect(await terminal.code).toBe(1)
  const lines = terminal.text().split(/\r?\n/)
  const tooWide = lines.filter((line) => !line.startsWith('Events: ') && displayWidth(line) > columns)
  expect(tooWide).toEqual([])
  expect(terminal.text()).toContain('▸')

  // What is left on the screen is what a pipe gets, broken into lines that fit, and no trace of the progress.
  const screen = terminal.screen()
  expect(screen).not.toMatch(/[▸█░]/)
  expect(screen).not.toMatch(/\n\n\n/)
  if (columns === 80) {
    const piped = await viva(args, { cwd })
    expect(blocksOf(screen)).toEqual(blocksOf(piped.stdout))
  } else {
    expect(screen).toContain(`
  ├─ Turn 1: "break" → FAILED`)
    expect(screen).toContain(`
  │          Error: agent error: the
  │            model behind this agent
  │            is not there, and nobody
  │            knows when it will be
  │            back (at agent.mjs:5:31)
  │
  ├─ Turn 2: "never" → NOT RUN
  │
  └─ Result: FAILED`)
  }
})

test('colours on a terminal, none where they are not wanted', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES.slice(-1) })
  const raw = async (env: Record<string, string>): Promise<boolean> => {
    const terminal = onTerminal(ARGS, { cwd, env: { NO_COLOR: '', ...env } })
    await terminal.code
    return terminal.colored()
  }
  expect(await raw({})).toBe(true)
  expect(await raw({ NO_COLOR: '1' })).toBe(false)
})
