// A file of another tool → a suite. Its kind is detected from its content.
import { extname } from 'node:path'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import { importEvalset, isEvalset } from './adk.js'
import { importChatLines, isChatLine } from './chat-lines.js'
import { importGoldens, isGoldens } from './deepeval.js'
import type { Imported, ImportOptions } from './imported.js'
import { importTrace, isTrace } from './otlp.js'
import { importPromptfoo, isPromptfoo } from './promptfoo/suite.js'
import { jsonLines, SourceFolder, unreadable } from './read-source.js'
import { importTable } from './table.js'

/** Runs nothing and reads nothing outside the folder of the file. Throws a UserError. */
export async function importFile(path: string, options: ImportOptions): Promise<Imported> {
  const ending = extname(path).toLowerCase()
  if (/^\.(?:[cm]?[jt]sx?|py|rb)$/.test(ending)) throw isProgram(path)
  const folder = new SourceFolder(path)
  const { text } = folder.read(folder.start)
  const file = folder.shown(folder.start)
  if (text.trim() === '') throw unreadable(file, [{ line: 1, message: 'the file is empty' }])
  if (ending === '.csv') return checked(importTable(text, file, options), file)
  if (ending === '.jsonl' || ending === '.ndjson' || isTraceOfLines(text))
    return checked(await fromLines(text, file, options), file)
  const found = await folder.structured(folder.start)
  if (isTrace(found.value)) return checked(importTrace([found.value], file, options), file)
  if (isEvalset(found.value)) return checked(await importEvalset(found, folder, options), file)
  if (isPromptfoo(found.value)) return importPromptfoo(path, options)
  if (isGoldens(found.value)) return checked(importGoldens(found, options), file)
  throw unknownKind(file, found.value)
}

/** Collectors write one document per line, under whatever name. */
function isTraceOfLines(text: string): boolean {
  const [first = '', second = ''] = text.split('\n', 2)
  return first.startsWith('{"resource') && second.startsWith('{') && isTrace(parseJson(first)?.value)
}

async function fromLines(text: string, file: string, options: ImportOptions): Promise<Imported> {
  const lines = await jsonLines(text, file)
  const first = lines[0]?.value
  if (isTrace(first))
    return importTrace(
      lines.map(({ value }) => value),
      file,
      options,
    )
  if (isChatLine(first)) return importChatLines(lines, file, options)
  throw unknownKind(file, first)
}

function checked(imported: Imported, file: string): Imported {
  if (imported.cases.length > 0) return imported
  throw new UserError({
    code: 'NOTHING_TO_IMPORT',
    message: `nothing in ${file} could be made into a case`,
    hint: 'is the right file named? viva import --help lists what can be imported',
  })
}

function isProgram(path: string): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${path} is a program, and an import runs nothing`,
    hint: 'write the configuration as YAML or JSON, then import that',
  })
}

function unknownKind(file: string, found: unknown): UserError {
  const keys = isRecord(found) ? ` (an object with ${Object.keys(found).slice(0, 8).join(', ')})` : ''
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} is nothing that can be imported${keys}`,
    hint: 'a promptfoo configuration, DeepEval goldens, an ADK evalset, chat JSONL, a CSV table or an OTLP JSON trace; case files run as they are: viva test -i',
  })
}
