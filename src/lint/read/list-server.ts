// An MCP server → what it lists, as data. Nothing is called.
import { isRecord, readList, readString } from '../../base/record.js'
import { stringsIn } from '../../base/strings-in.js'
import { UserError } from '../../errors.js'
import type { RemoteServer } from '../../mcp-client/server.js'
import { isOpen, openSession } from '../../mcp-client/session.js'
import { describeEnd } from '../../mcp-client/exchange.js'
import type { McpEnvironment } from '../../mcp-client/wire.js'
import type { ListedItem, Subject, ToolList } from '../subject.js'
import { secretsIn } from '../text/secrets.js'

const LIST_MS = 30_000

const KINDS = [
  ['tools', 'tool'],
  ['prompts', 'prompt'],
  ['resources', 'resource'],
  ['resourceTemplates', 'template'],
] as const

/** Throws a UserError if the program cannot be started at all; a server that does not list is a finding. */
export async function listServer(
  server: RemoteServer,
  label: string,
  environment: McpEnvironment,
  signal: AbortSignal,
): Promise<Subject> {
  const session = await openSession(server, environment, { signal })
  try {
    if (!isOpen(session)) throw notOpened(label, describeEnd(session.initialized))
    const items: ListedItem[] = []
    const problems: string[] = []
    for (const [list, kind] of KINDS) {
      const { items: found, problem } = await session.listAll(list, { signal, timeoutMs: LIST_MS })
      items.push(...found.map((item) => itemOf(kind, item)))
      if (problem !== undefined) problems.push(`the list is not complete: ${problem}`)
    }
    if (items.length === 0 && problems.length === 0)
      problems.push('the server lists no tools, prompts or resources: there is nothing to lint')
    return subjectOf({ label, isServer: true, items }, problems)
  } finally {
    await session.close()
  }
}

function subjectOf(list: ToolList, problems: string[]): Subject {
  const secrets = list.items.flatMap(({ text, texts, place }) =>
    secretsIn([text, ...texts].join('\n'), '').map(({ kind }) => ({ kind, about: place.about })),
  )
  return {
    kind: 'server',
    label: list.label,
    lists: [list],
    texts: [],
    folder: {
      links: [],
      secrets: secrets.map(({ kind, about }) => ({ kind, ...(about !== undefined && { about }) })),
      unread: problems.map((reason) => ({ reason })),
    },
  }
}

function itemOf(kind: ListedItem['kind'], item: Record<string, unknown>): ListedItem {
  const { name, uri, uriTemplate, description, inputSchema, outputSchema, annotations, arguments: args } = item
  const called = readString(name) ?? readString(uri) ?? readString(uriTemplate) ?? ''
  return {
    kind,
    name: called,
    description: readString(description),
    inputSchema,
    outputSchema,
    annotations: isRecord(annotations) ? annotations : undefined,
    arguments: readList(args).flatMap((arg) =>
      isRecord(arg) ? [{ name: readString(arg['name']) ?? '', description: readString(arg['description']) }] : [],
    ),
    place: { about: `${kind === 'template' ? 'resource' : kind} "${called}"` },
    text: JSON.stringify({ name, description, inputSchema }),
    texts: [...stringsIn(item)],
  }
}

function notOpened(label: string, why: string): UserError {
  return new UserError({
    code: 'NO_TOOL_LIST',
    message: `${label} did not start as an MCP server: ${why}`,
    hint: 'start it by hand to see what is wrong; a folder is linted by its path, and must exist',
  })
}
