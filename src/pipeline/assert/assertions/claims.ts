// `claims`: what the answer says was done, found or counted is shown by calls, results, input or workspace.
import * as v from 'valibot'
import { formatCount, plural } from '../../../base/format.js'
import { asText, preview } from '../../../base/text.js'
import type { Evidence } from '../../../model/evidence.js'
import type { WorkspaceFiles } from '../../../model/workspace.js'
import { LONGEST_ANSWER, type Claim, type ClaimFiles, type ClaimKind } from '../../claims/claim.js'
import { defineAssertion, notAvailable, type Verdict } from '../define-assertion.js'
import { onAnswer } from '../on-answer.js'

const ONLY = {
  actions: ['action'],
  numbers: ['number', 'money'],
  ids: ['id'],
  dates: ['date'],
  files: ['file', 'url'],
} as const satisfies Record<string, readonly ClaimKind[]>

const kinds = v.picklist(Object.keys(ONLY) as Array<keyof typeof ONLY>)

export const claims = defineAssertion({
  type: 'claims',
  summary:
    'What the answer says was done, found or counted is backed by tool calls, their results, the input or the workspace, by rules and without a judge; `only` picks kinds of claims, `allow: ["unbacked"]` fails only what is contradicted',
  example: { type: 'claims', only: ['actions', 'numbers'] },
  on: 'answer',
  schema: v.object({
    only: v.optional(v.pipe(v.array(kinds), v.nonEmpty())),
    allow: v.optional(v.array(v.picklist(['unbacked']))),
  }),

  compile(spec, context) {
    const { only, allow = [] } = spec
    const wanted = only && new Set<ClaimKind>(only.flatMap((name) => ONLY[name]))
    const needsLanguage = only === undefined || only.some((name) => name !== 'ids' && name !== 'files')
    const isWanted = ({ kind, verdict }: Claim) =>
      (wanted === undefined || wanted.has(kind)) &&
      (verdict === 'contradicted' || (verdict === 'unbacked' && allow.length === 0))
    return onAnswer(
      spec,
      context,
      async (output, evidence, services) => {
        if (output === null || output === undefined || output === '') return nothingSaid()
        const length = asText(output).length
        if (length > LONGEST_ANSWER)
          return notAvailable(
            `the answer has ${formatCount(length)} characters; claims are looked for in answers of up to ${formatCount(LONGEST_ANSWER)}. Check a part of it: "path"`,
          )
        // Loaded here: most runs have no such assertion.
        const { claimsIn, unreadLanguage } = await import('../../claims/claims-in.js')
        const answered = { ...evidence, output: typeof output === 'string' ? asRead(output) : output }
        const language = needsLanguage ? unreadLanguage(answered) : undefined
        if (language !== undefined)
          return notAvailable(
            `the answer does not seem to be in ${language}, the only language in which claims are read. Ids and files are found in any: "only": ["ids", "files"]`,
          )
        const found = await withFiles(claimsIn, answered, services.workspace)
        return verdictOf(found, found.filter(isWanted))
      },
      { several: 'list' },
    )
  },
})

/** As people see it: characters without a width split no word, and a fence around all of it makes no code of it. */
function asRead(text: string): string {
  const plain = text.replaceAll(/\p{Cf}/gu, '')
  return /^\s*```(?:text|txt|plain|markdown|md)?[ \t]*\n([\s\S]*?)\n?```\s*$/i.exec(plain)?.[1] ?? plain
}

function nothingSaid(): Verdict {
  const message = 'there is no answer, so nothing is claimed'
  return { passed: false, message, absent: message }
}

/** Files that the answer names are looked for. */
async function withFiles(
  claimsIn: (evidence: Evidence, files?: ClaimFiles) => Claim[],
  evidence: Evidence,
  workspace: WorkspaceFiles | undefined,
): Promise<Claim[]> {
  const found = claimsIn(evidence)
  const names = [...new Set(found.filter(({ kind }) => kind === 'file').map(({ text }) => text))]
  return workspace && names.length > 0 ? claimsIn(evidence, await lookFor(names, evidence, workspace)) : found
}

async function lookFor(names: string[], { changes = [] }: Evidence, workspace: WorkspaceFiles): Promise<ClaimFiles> {
  const present: string[] = []
  const missing: string[] = []
  for (const name of names) {
    const { kind } = await workspace.read(name.replace(/^\.\//, ''))
    if (kind === 'missing') missing.push(name)
    else if (kind !== 'refused') present.push(name)
  }
  return { changes, present, missing }
}

/** What may have been shown by something that nobody has seen is neither backed nor unbacked. */
function verdictOf(all: readonly Claim[], flagged: readonly Claim[]): Verdict {
  if (flagged.length === 0) return { passed: true }
  const certain = flagged.filter(
    ({ unseen, kind, verdict }) => unseen === undefined || (verdict === 'contradicted' && kind !== 'action'),
  )
  const [open] = flagged
  if (certain.length === 0 && open)
    return notAvailable(`whether "${preview(open.text, 120)}" is backed is not known: ${open.unseen ?? ''}${HINT}`)
  const listed = [...new Set(certain.map(described))]
  const more = listed.length - LISTED
  return {
    passed: false,
    message: `${listed.slice(0, LISTED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    expected: 'every claim is backed',
    actual: `${formatCount(certain.length)} of ${plural(all.length, 'claim')} ${certain.length === 1 ? 'is' : 'are'} not`,
  }
}

const LISTED = 5
const HINT = '. Let the reply have "tool_calls" with their results, or check only what can be seen: "only"'

function described({ text, verdict, evidence }: Claim): string {
  return `"${preview(text.replace(/[.!]+$/, ''), 120)}" is ${verdict}${evidence === undefined ? '' : ` (${evidence})`}`
}
