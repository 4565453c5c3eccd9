// Opens the file of a case in the user's editor. A request names a run and a case: which file that is, the run's own
// events say, and they may come from elsewhere, so only a file inside the project is opened.
import { resolve } from 'node:path'
import { resolveInside } from '../files/inside.js'
import { statOf } from '../files/stat.js'
import { readEvents } from '../pipeline/record/read-events.js'
import type { Editor } from '../process/editor.js'

export interface CaseOpener {
  editor: Editor
  /** The project: the folder that the viewer was started in. */
  root: string
}

/** Undefined if it was opened; else why not. */
export async function openCase({ editor, root }: CaseOpener, events: string, id: string): Promise<string | undefined> {
  const place = await placeOf(events, id)
  if (place === undefined) return 'the run does not say where this case is written'
  const path = resolveInside(root, resolve(root, place.file))
  if (path === undefined || !statOf(path)?.isFile())
    return 'its file is not in the folder that viva view was started in'
  editor.open(path, place.line)
  return undefined
}

async function placeOf(events: string, id: string): Promise<{ file: string; line: number | undefined } | undefined> {
  for await (const event of readEvents(events)) {
    if (event.type !== 'result' || event.id !== id) continue
    const file = event.script_path ?? event.file
    return file === undefined ? undefined : { file, line: event.line }
  }
  return undefined
}
