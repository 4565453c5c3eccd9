// What a server offers, from a session that only lists it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListKind } from '../mcp-client/list-all.js'
import { isOpen, openSession, type McpSession } from '../mcp-client/session.js'
import type { Listed, ServerSurvey } from '../model/contract.js'
import { preparePlace } from './place.js'
import type { ContractContext } from './subject-run.js'

const LIST_MS = 30_000

/** Lists that cannot be read to their end are taken as far as they go: a case of its own is about them. */
export async function surveyServer({
  server,
  environment,
  signal,
}: Pick<ContractContext, 'server' | 'environment' | 'signal'>): Promise<ServerSurvey> {
  const folder = await mkdtemp(join(tmpdir(), 'viva-mcp-'))
  try {
    const place = server.transport === 'stdio' ? await preparePlace(folder, server, environment.env) : undefined
    const session = await openSession(server, environment, {
      signal,
      timeoutMs: LIST_MS,
      ...(place && { cwd: place.cwd, env: place.env }),
    })
    try {
      return await listed(session, server.transport === 'stdio')
    } finally {
      await session.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function listed(session: McpSession, isLocal: boolean): Promise<ServerSurvey> {
  const all = async (kind: ListKind): Promise<Listed[]> =>
    isOpen(session) ? unique((await session.listAll(kind, { timeoutMs: LIST_MS })).items) : []
  return {
    isLocal,
    tools: await all('tools'),
    prompts: await all('prompts'),
    resources: await all('resources'),
    templates: await all('resourceTemplates'),
  }
}

/** A list that goes round in circles has the same items over and over. */
function unique(items: Listed[]): Listed[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = JSON.stringify(item)
    return !seen.has(key) && seen.add(key)
  })
}
