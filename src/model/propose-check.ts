// An expectation in prose → a check that needs no judge, for a person to review. Only what the sentence says outright:
// where it could be met and the check fail, nothing is proposed.
import type { AssertionSpec } from './assertion.js'

/** Undefined: only a judge can tell. What is proposed is necessary for the expectation, and seldom all of it. */
export function proposeCheck(expectation: string): AssertionSpec | undefined {
  if (expectation.length > LONGEST) return undefined
  const said = expectation.replaceAll(/\s+/g, ' ').trim().replace(/[.;]$/, '')
  for (const read of READERS) {
    const specs = read(said)
    if (specs.length === 1) return specs[0]
    if (specs.length > 1) return { type: 'all', assertions: specs }
  }
  return undefined
}

/** What takes more words than this says more than a pattern can check. */
const LONGEST = 400

type Reader = (said: string) => AssertionSpec[]

/** Names in code: `quoted`, TwoHumps, camelCase, snake_case, data-… and aria-… attributes, families such as gap-*, @scope/package, call(). */
const NAME = String.raw`(?:\`[^\`]+\`|[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|(?:data|aria)-[a-z]+(?:-[a-z]+)*|[a-z]+(?:-[a-z]+)*-\*|@[a-z0-9-]+\/[a-z0-9-]+|[A-Za-z_]\w*\(\))`
/** A plain word is a name only where the sentence says so: "Badge component". */
const NAMED = String.raw`(?:${NAME}|[A-Z][a-z]+(?=(?:,? (?:and )?${NAME}| and [A-Z][a-z]+)* (?:component|hook|class|element)s?\b))`
const LIST = String.raw`${NAMED}(?:(?:, and |, | and )${NAMED})*`
const NOUN = String.raw`(?: (?:component|attribute|class|prop|hook|function|tag|element|package|import|flag|method)(?:e?s)?)?`
const USES = String.raw`(?:[Uu]ses?|[Ii]ncludes?|[Cc]ontains?|[Ii]mports?|[Cc]alls?|[Hh]as)`
/** What follows says where or what for, not what else. */
const PURPOSE = String.raw`(?: (?:for|in|on|inside|around|within) [^()]*?)?`
const ASIDE = String.raw`(?: \((?<aside>[^()]*)\))?`
const INSTEAD = String.raw`(?: (?:instead of|rather than) (?<other>[^()]+))?`

const POSITIVE = new RegExp(
  `^${USES} (?:the |a |an )?(?<names>${LIST})${NOUN}${ASIDE}${PURPOSE}${INSTEAD}${PURPOSE}(?: \\([^()]*\\))?$`,
)
/** "Avatar component includes AvatarFallback", "Icons on buttons use the data-icon attribute". */
const SUBJECT = new RegExp(
  `^(?:[A-Z]\\w*)(?: \\w+){0,3} ${USES} (?:the |a |an )?(?<names>${LIST})${NOUN}(?: \\([^()]*\\))?$`,
)
/** "Uses full Card composition with CardHeader, CardTitle". */
const WITH = new RegExp(`^${USES} (?:[a-z]+ )?[A-Za-z]+(?: [a-z]+)? with (?<names>${LIST})${NOUN}(?: \\([^()]*\\))?$`)
/** "Uses tabler icons (@tabler/icons-react) instead of …": the name is an aside. */
const IN_ASIDE = new RegExp(`^${USES} [a-z]+(?: [a-z]+)? \\((?<names>@[a-z0-9-]+\\/[a-z0-9-]+)\\)${PURPOSE}${INSTEAD}$`)
const NEGATIVE = new RegExp(
  `^(?:No|Never (?:uses?|calls?)|(?:Does not|Doesn't|Do not) (?:use|include|contain|import|call)|Avoids) (?:any )?(?<names>${NAME}(?:(?:, or |, and |, | or | and )${NAME})*)${NOUN}$`,
)

/** A condition, a choice, an example or a denial: the name need not be there. */
const HEDGE =
  /n't\b|\b(?:not|no|never|without|avoids?|fewer|less|neither|nor|if|when|whenever|where|unless|or|either|e\.g|such as|like|optionally|at least one|ideally|appropriate|equivalent|should|may|might|could)\b/i

const READERS: readonly Reader[] = [
  (said) => uses(POSITIVE.exec(said)),
  (said) => uses(SUBJECT.exec(said)),
  (said) => uses(WITH.exec(said)),
  (said) => uses(IN_ASIDE.exec(said)),
  (said) => namesIn(NEGATIVE.exec(said)?.groups?.['names']).map((name) => codeCheck(name, true)),
  mentions,
  madeFile,
]

function uses(found: RegExpExecArray | null): AssertionSpec[] {
  if (!found) return []
  const { names = '', other = '' } = found.groups ?? {}
  // A hedge in what is named instead takes nothing back from what is named.
  const claimed = other === '' ? found[0] : found[0].slice(0, found[0].indexOf(other))
  if (HEDGE.test(withoutAsides(claimed))) return []
  return [
    ...namesIn(names).map((name) => codeCheck(name, false)),
    ...familiesIn(other).map((name) => codeCheck(name, true)),
  ]
}

function withoutAsides(text: string): string {
  return text.replaceAll(/\([^()]*\)/g, '')
}

function namesIn(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(/,? (?:and|or) |, /).map((name) => name.trim())
}

/** What is used instead may stand elsewhere for another reason; a whole family that is ruled out may not. */
function familiesIn(other: string): string[] {
  const [only] =
    new RegExp(`^(?:[a-z]+(?:-[a-z]+)*-\\*)(?:(?:,| or| and) [a-z]+(?:-[a-z]+)*-\\*)*(?= for | in |$)`).exec(other) ??
    []
  return namesIn(only)
}

function codeCheck(name: string, negate: boolean): AssertionSpec {
  return { type: 'code_contains', pattern: patternOf(name), ...(negate && { negate }) }
}

function patternOf(name: string): string {
  const bare = name.replaceAll('`', '')
  if (bare.endsWith('-*')) return `\\b${escaped(bare.slice(0, -1))}`
  if (bare.endsWith('()')) return `\\b${escaped(bare.slice(0, -2))}\\s*\\(`
  return `${/^\w/.test(bare) ? '\\b' : ''}${escaped(bare)}${/\w$/.test(bare) ? '\\b' : ''}`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

const SAYS =
  /^(?:(?:The )?(?:answer|response|output|reply) )?(?:mentions|says|states)(?: the)? (?:(["'`])(?<text>[^"'`]+)\1|(?<flag>--[a-z][\w-]*))(?: flag| option)?$/i

function mentions(said: string): AssertionSpec[] {
  const { text, flag } = SAYS.exec(said)?.groups ?? {}
  const value = text ?? flag
  return value === undefined ? [] : [{ type: 'contains', value }]
}

/** A path that names one file: nothing to be filled in. */
const PATH = String.raw`\`?(?<path>(?:[\w.-]+\/)*[\w-][\w.-]*\.[a-z][a-z0-9]{0,5})\`?`
const MADE = [
  new RegExp(
    `^(?:Creates|Produces|Writes|Saves|Generates) (?:a |an |the )?(?:new |output )?(?:file )?(?:named |called )?${PATH}(?: file)?$`,
  ),
  new RegExp(
    `^(?:A |An |The )?(?:new |output )?(?:file )?${PATH} (?:exists|(?:is|was) (?:created|written|produced|saved))(?: or updated)?(?: (?:in|at) the (?:repo|repository|project|workspace)(?: root)?)?$`,
  ),
]
const VALID_JSON = new RegExp(`^(?:The )?(?:file )?${PATH} is valid JSON$`)
const PLACEHOLDER = /YYYY|MM-DD|\bNAME\b|\bX+\b/

function madeFile(said: string): AssertionSpec[] {
  const json = VALID_JSON.exec(said)?.groups?.['path']
  if (json !== undefined && !PLACEHOLDER.test(json)) return [{ type: 'file_json', path: json, schema: true }]
  const path = MADE.map((pattern) => pattern.exec(said)?.groups?.['path']).find((found) => found !== undefined)
  return path === undefined || PLACEHOLDER.test(path) ? [] : [{ type: 'file_exists', path }]
}
