// A file of another tool as a document: data, lines of data, a table, or a log that is packed into an archive.
import { extname } from 'node:path'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import { messageOf } from '../base/message-of.js'
import type { Document } from './format.js'
import { jsonLines, SourceFolder, unreadable } from './read-source.js'
import { isZip, unzip } from './unzip.js'

/** Throws a UserError. */
export async function readDocument(path: string): Promise<Document> {
  const folder = new SourceFolder(path)
  const file = folder.shown(folder.start)
  const bytes = folder.bytes(folder.start)
  if (isZip(bytes)) return { ...fromArchive(bytes, file), folder }
  const { text } = folder.read(folder.start)
  if (text.trim() === '') throw unreadable(file, [{ line: 1, message: 'the file is empty' }])
  const ending = extname(path).toLowerCase()
  if (ending === '.csv' || ending === '.tsv')
    return { file, text, folder, shape: 'table', value: undefined, lineOf: () => 1 }
  if (isLines(text) || ((ending === '.jsonl' || ending === '.ndjson') && !isOneList(text))) {
    const lines = await jsonLines(text, file)
    const lineOf: Document['lineOf'] = ([index]) => lines[typeof index === 'number' ? index : 0]?.line ?? 1
    return { file, text, folder, shape: 'lines', value: lines.map(({ value }) => value), lineOf }
  }
  return { ...(await folder.structured(folder.start)), text, folder, shape: 'data' }
}

/** One JSON object a line, whatever the name. */
function isLines(text: string): boolean {
  const [first = '', second = ''] = text.trimStart().split('\n', 2)
  return second.startsWith('{') && isRecord(parseJson(first)?.value)
}

/** A list over several lines, whatever the name: no line of it is a value. */
function isOneList(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n', 1)
  return first.startsWith('[') && parseJson(first) === undefined
}

/** A log of Inspect: its header, and one file a sample. */
function fromArchive(bytes: Buffer, file: string): Omit<Document, 'folder'> {
  try {
    const header = { value: {} as unknown }
    const samples: unknown[] = []
    for (const { name, text } of unzip(bytes)) {
      const value = parseJson(text)?.value
      if (value === undefined) throw new Error(`${name} in it is not JSON`)
      if (name === 'header.json') header.value = value
      if (name.startsWith('samples/')) samples.push(value)
    }
    const value = { ...(isRecord(header.value) && header.value), samples }
    return { file, text: '', shape: 'data', value, lineOf: () => 1 }
  } catch (error) {
    throw unreadable(file, [{ line: 1, message: messageOf(error) }])
  }
}
