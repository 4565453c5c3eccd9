// A line of prose that is a verdict by itself: "FAIL", "Verdict: does not pass". Sentences that merely mention one are not.

/** The verdicts that lines of `prose` give, each once. */
export function spokenVerdicts(prose: string): Set<boolean> {
  return new Set(prose.split('\n').flatMap((line) => verdictOf(line) ?? []))
}

function verdictOf(line: string): boolean | undefined {
  const plain = line
    .replaceAll(/[*_`#>|"'“”‘’]|^\s*(?:[-•]|\d+[.)])\s/gu, ' ')
    .replaceAll(/\p{Extended_Pictographic}|\ufe0f/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.!:;,]+$/, '')
    .trim()
    .toLowerCase()
  const said = LABELLED.exec(plain)?.[1] ?? plain
  if (NO.test(said)) return false
  if (YES.test(said)) return true
  return undefined
}

const SUBJECT = '(?:(?:it|this|the (?:answer|output|response|agent|system|case|test))(?: has)? )?'
const LABELLED =
  /^(?:my |the )?(?:final |overall )?(?:verdict|result|decision|judge?ment|conclusion|outcome|evaluation|grade|assessment|status|passed)(?: is)? ?[:=–—-]? ?(.*)$/
const NO = new RegExp(
  `^${SUBJECT}(?:fail(?:s|ed|ing)?|does not (?:pass|meet).*|did not (?:pass|meet).*|doesn t (?:pass|meet).*|is not a pass|not (?:a )?pass(?:ed|ing)?|no pass|reject(?:s|ed)?|is rejected|incorrect|is incorrect|unacceptable|false)$`,
)
const YES = new RegExp(
  `^${SUBJECT}(?:pass(?:es|ed|ing)?|meets (?:all )?(?:the )?criteri(?:a|on)|is (?:a pass|accepted|correct)|accept(?:s|ed)?|correct|approved|true)$`,
)
