// What `viva init` can do in a folder: scaffold a kind, write cases for an agent that is there, or name a better command.
import { readTemplates } from '../../files/shipped.js'
import { INIT_KINDS, type InitKind } from '../rows/init-kinds.js'

export interface Choice extends Pick<InitKind, 'name' | 'about' | 'setup' | 'tests' | 'ready'> {
  /** What speaks for it, e.g. `package.json: ai (AI SDK)`. */
  seen?: string
  /** Path → text. */
  files: Record<string, string>
  /** The agent is the user's own: files that exist stay, and the sample case is there to be replaced. */
  isOwn?: true
  /** What to do with them; one line each. `about`: the file that a line is about, if it is written. */
  next?: Array<{ text: string; about?: string }>
  /** Instead of files: the arguments of the command that does it. */
  command?: string
}

export interface Found {
  /** What was seen, e.g. `package.json: ai (AI SDK)`. */
  seen: string
  /** A kind to propose, by its name. */
  kind?: string
  /** Something to propose that is not a kind. */
  choice?: Choice
  /** What to know about it. */
  note?: string
}

const SAMPLE = { id: 'answers', input: 'Hello, what can you do?', assert: { type: 'regex', value: String.raw`\S` } }

/** `file`: where its cases go. */
export function ownAgent(target: string, about: string, file = 'tests/cases.jsonl'): Choice {
  const named = target.includes(' ') ? `"${target}"` : target
  return {
    name: target,
    about,
    isOwn: true,
    files: { [file]: `${JSON.stringify(SAMPLE)}\n` },
    setup: [],
    tests: [`-i ${file} -n ${named}`],
  }
}

/** Found ones first, then the kinds; a kind that something speaks for comes before the others. */
export function choices(found: Found[]): Choice[] {
  const own = found.flatMap(({ choice, seen }) => (choice ? [{ ...choice, seen }] : []))
  const kinds = INIT_KINDS.map((kind): Choice => {
    const seen = found.find((each) => each.kind === kind.name)?.seen
    return { ...choiceOf(kind), ...(seen !== undefined && { seen }) }
  })
  return [...own, ...kinds.toSorted((a, b) => Number(b.seen !== undefined) - Number(a.seen !== undefined))]
}

function choiceOf({ templates, ...kind }: InitKind): Choice {
  return { ...kind, files: Object.assign({}, ...templates.map(readTemplates)) as Record<string, string> }
}
