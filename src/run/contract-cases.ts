// The cases of a server's contract: one for each thing that it lists, and some about the server as a whole.
import { isRecord, readString } from '../base/record.js'
import { EXAMPLE_FILES } from '../contract/place.js'
import type { ContractPart, ContractSubject, Listed, ServerSurvey } from '../model/contract.js'
import { subjectText } from '../model/contract-text.js'
import { rulesFor } from '../pipeline/assert/contract/registry.js'

export interface ContractPlan {
  /** As in a case file. */
  cases: Array<Record<string, unknown>>
  warnings: string[]
}

/** Lists of resources can be endless. */
const MOST_RESOURCES = 30

export function contractCases(survey: ServerSurvey, allowDestructive: boolean): ContractPlan {
  const { tools, prompts, resources, templates, isLocal } = survey
  const ids = new Set<string>()
  const warnings: string[] = []
  const caseOf = (subject: ContractSubject, name: string, tags: string[] = []) => {
    const reason = subject.kind === 'tool' ? notCalled(subject.item, { allowDestructive, isLocal }) : undefined
    const part: ContractPart = {
      type: 'contract',
      subject,
      text: subjectText(subject),
      ...(reason !== undefined && { not_called: reason }),
    }
    return {
      id: freeId(`${folderOf(subject)}/${name}`, ids),
      input: { role: 'user', content: [part] },
      assert: rulesFor(subject).map((rule) => ({ type: 'contract', rule })),
      tags: [folderOf(subject), ...tags],
      ...(isLocal && { workspace: { fixtures: EXAMPLE_FILES } }),
    }
  }
  const of = (kind: 'tool' | 'prompt' | 'resource' | 'template', items: Listed[], key: string) =>
    items.map((item) => caseOf({ kind, item }, nameOf(item[key]), kind === 'tool' ? hintTags(item) : []))
  if (resources.length > MOST_RESOURCES)
    warnings.push(`${resources.length} resources are listed: the first ${MOST_RESOURCES} are read`)
  return {
    cases: [
      ...SERVER.map((kind) => caseOf({ kind }, kind)),
      ...of('tool', tools, 'name'),
      ...of('prompt', prompts, 'name'),
      ...of('resource', resources.slice(0, MOST_RESOURCES), 'uri'),
      ...of('template', templates, 'uriTemplate'),
    ],
    warnings,
  }
}

const SERVER = ['handshake', 'lists', 'refusals', 'cancellation'] as const

function folderOf({ kind }: ContractSubject): string {
  return (SERVER as readonly string[]).includes(kind) ? 'server' : kind
}

/** Why a tool is only looked at. By the protocol a tool without annotations is destructive, and reaches the outside world. */
function notCalled(
  { annotations }: Listed,
  { allowDestructive, isLocal }: { allowDestructive: boolean; isLocal: boolean },
): string | undefined {
  if (allowDestructive) return undefined
  const { readOnlyHint, destructiveHint, openWorldHint } = isRecord(annotations) ? annotations : {}
  if (readOnlyHint === true) return undefined
  if (destructiveHint === false && openWorldHint === false && isLocal) return undefined
  const what =
    destructiveHint === false
      ? 'it writes, and not only in the folder that it is given'
      : destructiveHint === true
        ? 'it is annotated as destructive'
        : 'it is not annotated, so it counts as destructive'
  return `${what}; --allow-destructive calls it`
}

function hintTags({ annotations }: Listed): string[] {
  return isRecord(annotations) && annotations['readOnlyHint'] === true ? ['read-only'] : []
}

/** What a server calls something may be anything; an id is one line of visible text. */
function nameOf(value: unknown): string {
  const name = (readString(value) ?? '').replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '?').trim()
  return name === '' ? '(without a name)' : name
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted} (${number})`
  taken.add(id)
  return id
}
