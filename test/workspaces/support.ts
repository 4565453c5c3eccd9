// A place of its own for the workspaces of one test.
import { openPlace, type Place } from '../../src/workspaces/place.js'
import { createWorkspace } from '../../src/workspaces/create.js'
import type { Workspace } from '../../src/workspaces/workspace.js'
import type { WorkspaceSpec } from '../../src/model/workspace.js'
import { makeFolder } from '../support/run-cli.js'

export function makePlace(): Place {
  return openPlace(makeFolder())
}

export async function makeWorkspace(
  spec: WorkspaceSpec = {},
  id = 'w1',
  place = makePlace(),
): Promise<{ place: Place; workspace: Workspace }> {
  const { workspace } = await createWorkspace(place, id, spec)
  return { place, workspace }
}
