// The cassettes that a workspace can be played from: its own, then the project's.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { UserError } from '../errors.js'
import { flag, object, text } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { writeTextHere } from '../pipeline/report/write-report.js'
import { readCassette, type Cassette } from '../recordings/read-cassette.js'
import { sortedEntries } from '../files/entries.js'
import { resolveInside } from '../files/inside.js'
import { readWorkspaceFile, writeWorkspaceFiles } from '../workspaces/files.js'
import type { Workspace } from '../workspaces/workspace.js'
import { replaceFile } from '../files/replace-file.js'
import { requireProject, type ToolContext } from './context.js'
import { cassetteFolder } from './project-folders.js'

const MAX_BYTES = 64 * 1024 * 1024

export interface FoundCassette {
  /** For reading: a copy of what is in the workspace, where agents may have put links. */
  path: string
  /** Where it was found, for people. */
  shown: string
}

export function cassetteFile(name: string): string {
  return `cassettes/${name}.yaml`
}

/** Throws a UserError that lists the existing ones. */
export async function findCassette(
  workspace: Workspace,
  name: string,
  { project, config }: Pick<ToolContext, 'project' | 'config'>,
): Promise<FoundCassette> {
  const own = await readWorkspaceFile(workspace, cassetteFile(name), MAX_BYTES)
  if (own.kind === 'text') {
    const path = join(workspace.state, 'playing', `${name}.yaml`)
    replaceFile(path, own.text)
    return { path, shown: join(workspace.path, cassetteFile(name)) }
  }
  if (own.kind !== 'missing') throw unreadable(name, own.kind === 'refused' ? own.why : `it is ${own.kind}`)
  const saved = project === undefined ? [] : [cassetteFolder({ project, config })]
  const path = saved.map((folder) => join(folder, `${name}.yaml`)).find((file) => existsSync(file))
  if (project !== undefined && path !== undefined) {
    if (resolveInside(project, path) === undefined) throw unreadable(name, `${path} leads out of the project`)
    return { path, shown: path }
  }
  const known = [join(workspace.path, 'cassettes'), ...saved].flatMap(namesIn)
  throw new UserError({
    code: 'NO_CASSETTE',
    message: `no cassette called "${name}" in ${['the workspace', ...saved].join(' or in ')}`,
    hint: known.length > 0 ? `known cassettes: ${[...new Set(known)].join(', ')}` : 'record one with test_record first',
  })
}

/** To the workspace, where people read and edit it, and to the project if it should be kept. */
export async function keepCassette(
  workspace: Workspace,
  path: string,
  name: string,
  save: boolean,
  context: Pick<ToolContext, 'project' | 'config'>,
): Promise<{ saved_path?: string }> {
  const recorded = readFileSync(path, 'utf8')
  await writeWorkspaceFiles(workspace, { [cassetteFile(name)]: recorded })
  if (!save) return {}
  const saved_path = join(cassetteFolder(context), `${name}.yaml`)
  if (resolveInside(requireProject(context), saved_path) === undefined)
    throw unreadable(name, `${saved_path} leads out of the project`)
  await writeTextHere(saved_path, recorded)
  return { saved_path }
}

/** Throws a UserError for a damaged cassette. */
export function readFound({ path }: FoundCassette): Cassette {
  const cassette = readCassette(path)
  if (!cassette) throw new Error(`${path} is gone`)
  return cassette
}

const DEFAULT_ITERATIONS = 10

/** As many as were recorded; one more if the run ended on its own, so that it can end that way again. */
export function iterationsOf(cassette: Cassette, isOpen: boolean): number {
  const recorded = cassette.interactions.length
  const limit = reasonOf(cassette) === 'MaxIterations' ? recorded : recorded + 1
  return Math.max(1, isOpen ? Math.max(limit, DEFAULT_ITERATIONS) : limit)
}

/** How the recorded run ended, as the cassette says. */
export function reasonOf({ text: written }: Pick<Cassette, 'text'>): string | undefined {
  return /^metadata:[\s\S]*?^ +termination_reason: "?(\w+)/m.exec(written)?.[1]
}

const patterns = () =>
  optional(
    about(
      v.record(v.string(), v.union([text(), flag()], '{field} must be a pattern, true or false, found {found}')),
      'Regular expressions by name, or a built-in one ($TIMESTAMP, $UUID, $API_KEY, $PATH, $DURATION) switched on or off.',
    ),
  )

const REDACTIONS = 'What varies from run to run: replaced in prompts before they are stored and compared.'

export const redactionsParameter = () => about(object({ patterns: patterns() }), REDACTIONS)

export const recordRedactions = () =>
  about(
    object({
      patterns: patterns(),
      paths: optional(
        about(
          v.array(text(), '{field} must be a list of JSONPaths, found {found}'),
          'Values never stored: $.response.… of an interaction, else a path in a JSON answer.',
        ),
      ),
    }),
    REDACTIONS,
  )

function namesIn(folder: string): string[] {
  return sortedEntries(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => entry.name.slice(0, -'.yaml'.length))
}

function unreadable(name: string, why: string): UserError {
  return new UserError({
    code: 'NO_CASSETTE',
    message: `the cassette "${name}" cannot be read: ${why}`,
    hint: 'record it again',
  })
}
