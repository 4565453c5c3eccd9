// What a judge is shown: the scratchpad, a file, the session or the output. Nothing from outside the workspace is sent anywhere.
import { clip } from '../base/text.js'
import { UserError } from '../errors.js'
import { scratchpadPath } from '../model/fixtures.js'
import { isKind } from '../model/session.js'
import { readWorkspaceFile } from '../workspaces/files.js'
import { readState } from '../workspaces/state.js'
import type { Workspace } from '../workspaces/workspace.js'
import { lastRun, lastSession, nothingRan } from './runs.js'

/** A judge reads no more than this; a cut says so itself. */
const MAX_SHOWN = 200_000

/** Throws a UserError for what does not exist: nothing can be said about it. */
export async function readTarget(workspace: Workspace, target: string): Promise<string> {
  if (target === 'scratchpad')
    return readFile(workspace, scratchpadPath(readState(workspace.state, 'config.json')), target)
  if (target.startsWith('file:')) return readFile(workspace, target.slice('file:'.length), target)
  if (target === 'output') {
    const run = lastRun(workspace)
    if (!run) throw nothingRan(workspace.id)
    return clip(run.stdout, MAX_SHOWN)
  }
  const { records } = await lastSession(workspace)
  // What hats printed is in the events and the output; as base64 it would be useless.
  const told = records.filter((record) => !isKind(record, 'ux.terminal.write'))
  return clip(told.map(({ event, data }) => JSON.stringify({ event, data })).join('\n'), MAX_SHOWN)
}

async function readFile(workspace: Workspace, path: string, target: string): Promise<string> {
  const read = await readWorkspaceFile(workspace, path)
  if (read.kind === 'text') return clip(read.text, MAX_SHOWN)
  const why = {
    missing: `${path} does not exist`,
    folder: `${path} is a folder`,
    binary: `${path} is not text`,
    too_big: `${path} is too large to be judged`,
    refused: read.kind === 'refused' ? read.why : '',
  }[read.kind]
  throw new UserError({
    code: 'NO_TARGET',
    message: `the target ${target} cannot be judged: ${why}`,
    hint: 'targets are scratchpad, session, output, or file:<path in the workspace>; nothing was sent to a judge',
  })
}
