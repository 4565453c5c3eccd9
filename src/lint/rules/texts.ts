// Instructions: do they contradict each other, hide something, or refer to what is not there?
import { hasHidden, visible } from '../../base/hidden.js'
import { show } from '../../base/text.js'
import { suggest } from '../../base/suggest.js'
import type { Found } from '../finding.js'
import { defineRule } from '../rule.js'
import type { Instructions, ListedItem } from '../subject.js'
import { readMarkdown } from '../text/markdown.js'
import { referencesIn } from '../text/references.js'
import { statementsIn, type Statement } from '../text/statements.js'

export const TEXTS = [
  defineRule({
    id: 'contradiction',
    on: 'texts',
    severity: 'warning',
    summary: 'one instruction demands what another forbids',
    reason: 'A model follows one of the two, and not always the same one.',
    fix: 'Remove one of them, or say when each applies.',
    *find(texts) {
      const seen = new Map<string, { statement: Statement; file: string; line: number }>()
      for (const { file, firstLine, text, isMain } of texts) {
        if (!isMain) continue
        for (const statement of statementsIn(text)) {
          const line = firstLine + statement.line - 1
          const earlier = seen.get(statement.object)
          if (!earlier) seen.set(statement.object, { statement, file, line })
          else if (earlier.statement.isDemand !== statement.isDemand) {
            const where = earlier.file === file ? `line ${earlier.line}` : `${earlier.file}:${earlier.line}`
            const message = `${show(statement.text, 80)} contradicts ${show(earlier.statement.text, 80)} on ${where}`
            yield { file, line, column: statement.column, message }
          }
        }
      }
    },
  }),
  defineRule({
    id: 'hidden-characters',
    on: 'text',
    severity: 'warning',
    summary: 'characters that people do not see and models read',
    reason: 'Invisible, reordering or look-alike characters can hold instructions that nobody has reviewed.',
    fix: 'Remove them, or write the characters that were meant.',
    *find({ file, firstLine, text }) {
      if (!hasHidden(text)) return
      const lines = text.split('\n')
      const index = lines.findIndex((line) => hasHidden(line.replace(/\r$/, '')))
      if (index >= 0) yield { file, line: firstLine + index, message: hiddenText(lines[index] ?? '') }
    },
  }),
  defineRule({
    id: 'hidden-in-list',
    on: 'list',
    severity: 'warning',
    summary: 'a name, description or schema with characters that people do not see and models read',
    reason: 'Invisible, reordering or look-alike characters can hold instructions that nobody has reviewed.',
    fix: 'Remove them, or write the characters that were meant.',
    *find({ items }) {
      for (const { texts, place } of items) {
        const text = texts.find(hasHidden)
        if (text !== undefined) yield { ...place, message: hiddenText(text) }
      }
    },
  }),
  defineRule({
    id: 'link-dead',
    on: 'text',
    severity: 'error',
    summary: 'SKILL.md or a prompt links to a file that is not there',
    reason: 'An agent that follows the link finds nothing, and goes on without it or makes it up.',
    fix: 'Add the file, or correct the link; links are relative to the folder of the skill.',
    *find(text) {
      if (text.isMain) yield* deadReferences(text, 'link')
    },
  }),
  defineRule({
    id: 'reference-dead',
    on: 'text',
    severity: 'warning',
    summary: 'the text names a file or script that is not there',
    reason: 'An agent that opens or runs it gets an error, and goes on without it or makes it up.',
    fix: 'Add the file, or correct its name.',
    *find(text) {
      if (!text.isMain) yield* deadReferences(text, 'link')
      yield* deadReferences(text, 'mention')
    },
  }),
  defineRule({
    id: 'reference-outside',
    on: 'text',
    severity: 'note',
    summary: 'a link out of the folder',
    reason: 'A skill is installed by copying its folder: what lies outside is missing then.',
    fix: 'Copy the file into the folder, or name the other skill by its name.',
    *find(text) {
      for (const { spot, leadsOut, isThere } of referencesIn(text))
        if (leadsOut && isThere)
          yield {
            file: text.file,
            line: spot.line,
            column: spot.column,
            message: `${show(spot.value, 120)} leads out of the folder`,
          }
    },
  }),
  defineRule({
    id: 'tool-reference-dead',
    on: 'list',
    severity: 'warning',
    summary: 'a description names a tool that the server does not have',
    reason: 'A model that follows it calls a tool that does not exist.',
    fix: 'Correct the name, or remove the sentence.',
    *find({ items }) {
      const known = items.filter(({ kind }) => kind === 'tool').map(({ name }) => name)
      for (const item of items) yield* unknownToolsIn(item, known)
    },
  }),
  defineRule({
    id: 'prompt-tool-unknown',
    on: 'text',
    severity: 'warning',
    summary: 'a prompt names a tool that the package does not have',
    reason: 'A model that follows it calls a tool that does not exist.',
    fix: 'Correct the name, or add the tool to its server.',
    *find({ file, firstLine, text, tools }) {
      if (!tools || tools.size === 0) return
      const servers = new Set([...tools].map((name) => name.slice(0, name.lastIndexOf('__'))))
      for (const [index, line] of text.split('\n').entries())
        for (const { 0: name, index: at } of line.slice(0, 5000).matchAll(/(?<![\w-])[A-Za-z0-9][\w-]*__[\w-]+/g)) {
          if (tools.has(name) || !servers.has(name.slice(0, name.lastIndexOf('__')))) continue
          const near = suggest(name, tools)
          const hint = near === undefined ? '' : `; did you mean ${near}?`
          yield { file, line: firstLine + index, column: at + 1, message: `there is no tool ${show(name, 80)}${hint}` }
        }
    },
  }),
]

function* deadReferences(text: Instructions, kind: 'link' | 'mention'): Iterable<Found> {
  const seen = new Set<string>()
  for (const { spot, path, isThere, kind: found } of referencesIn(text)) {
    if (found !== kind || isThere || seen.has(path)) continue
    seen.add(path)
    const near = nearestPath(path, text.paths)
    const fix = near === undefined ? {} : { fix: `Did you mean ${near}?` }
    yield { file: text.file, line: spot.line, column: spot.column, message: `${show(path, 120)} is not there`, ...fix }
  }
}

/** The same name elsewhere or in another case, else a near miss. */
function nearestPath(path: string, paths: ReadonlySet<string>): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const same = [...paths].find((known) => known.slice(known.lastIndexOf('/') + 1).toLowerCase() === name)
  return same ?? suggest(path, paths)
}

/** "the `x` tool", "tool `x`", "use `x_y` first": only names in code that look like the names of this server. */
function* unknownToolsIn(
  { name: own, description = '', inputSchema, place }: ListedItem,
  known: string[],
): Iterable<Found> {
  const words = JSON.stringify(inputSchema ?? '')
  for (const { value } of readMarkdown(description).spans) {
    if (known.includes(value) || value === own || !/^[a-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+$/.test(value)) continue
    const isCalledTool = new RegExp(
      String.raw`(?:\btool ${'`'}${value}${'`'}|${'`'}${value}${'`'} tools?\b)`,
      'i',
    ).test(description)
    const near = suggest(value, known)
    if ((!isCalledTool && near === undefined) || words.includes(`"${value}"`)) continue
    const hint = near === undefined ? '' : `; did you mean ${near}?`
    yield { ...place, message: `the description names the tool ${show(value, 80)}, which is not listed${hint}` }
  }
}

function hiddenText(text: string): string {
  const shown = visible(text)
  const at = shown.search(/\\(?:u\{|x[0-9a-f]{2}|u[0-9a-f]{4})/)
  return `hidden or look-alike characters: ${show(shown.slice(Math.max(0, at - 20), at + 60), 120)}`
}
