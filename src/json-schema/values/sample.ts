// Values that fit the name of an argument: a path for `path`, a small number for `timeout`. Only suggestions, checked against the schema.

export interface Named {
  /** Of the argument, or of the list that the value is in. */
  name: string
  description?: string
}

/** Suggested values for an argument, the best first. */
export type Sample = (argument: Named) => readonly unknown[]

/** Larger values of such an argument only take longer, or return more. */
export function isAmount(name: string): boolean {
  return has(
    name,
    /^(?:timeouts?|delays?|durations?|wait|sleep|interval|seconds?|secs?|minutes?|hours?|ms|milliseconds?|time|limit|max|count|size|length|bytes|lines?|depth|steps?|repeat|iterations|width|height|top|take|num)$/,
  )
}

/** What such an argument holds is meant to be executed. */
export function isCode(name: string): boolean {
  return has(name, /^(?:cmd|commands?|script|code|shell|exec|args|argv|expression|function|eval|program|bash|js|sql)$/)
}

/** Independent of where the server works. */
export const sampleByName: Sample = ({ name }) => {
  for (const { words, values } of SAMPLES) if (has(name, words)) return values
  return []
}

const SAMPLES: ReadonlyArray<{ words: RegExp; values: readonly unknown[] }> = [
  { words: /^(?:emails?|mail)$/, values: ['jane@example.com'] },
  { words: /^(?:urls?|uris?|href|link|endpoint|website)$/, values: ['https://example.com/'] },
  { words: /^(?:datetime|timestamp|since|until)$/, values: ['2025-03-14T09:30:00Z', 1_741_944_600] },
  { words: /^(?:date|day|birthday|deadline)$/, values: ['2025-03-14'] },
  { words: /^(?:host|hostname|domain)$/, values: ['example.com'] },
  { words: /^(?:uuid|guid)$/, values: ['123e4567-e89b-42d3-a456-426614174000'] },
  { words: /^(?:port)$/, values: [8080] },
  { words: /^(?:year)$/, values: [2025] },
  { words: /^(?:month)$/, values: [3] },
  { words: /^(?:page|index|offset|start|line|column|row|x|y)$/, values: [1] },
  { words: /^(?:timezone|tz|zone)$/, values: ['Europe/Berlin'] },
  { words: /^(?:lang|language|locale)$/, values: ['en'] },
  { words: /^(?:country)$/, values: ['DE'] },
  { words: /^(?:city|location|place)$/, values: ['Berlin'] },
  { words: /^(?:currency)$/, values: ['EUR'] },
  { words: /^(?:colou?r)$/, values: ['#336699'] },
  { words: /^(?:glob|pattern|regex|regexp)$/, values: ['*.txt', 'example'] },
  { words: /^(?:branch)$/, values: ['main'] },
  { words: /^(?:new|replacement|replace)$/, values: ['changed'] },
  { words: /^(?:old|search|find|needle|query)$/, values: ['example'] },
  { words: /^(?:cmd|command)$/, values: ['echo example'] },
  { words: /^(?:sql)$/, values: ['SELECT 1'] },
]

/** Whether one of the words that the name is made of fits: `maxResults`, `max_results`, `max-results`. */
function has(name: string, word: RegExp): boolean {
  return wordsOf(name).some((each) => word.test(each))
}

export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
