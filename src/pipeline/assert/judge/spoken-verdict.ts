// A line of prose that is a verdict on its own: "FAIL", "Verdict: does not pass". Sentences that merely mention one are not.

/** The verdicts that lines of `prose` give, each once. */
export function spokenVerdicts(prose: string): Set<boolean> {
  return new Set(prose.split('\n').flatMap((line) => verdictOf(line) ?? []))
}

function verdictOf(line: string): boolean | undefined {
  const plain = line
    .replaceAll(/\p{Cf}/gu, '')
    .replace(/^\s*<(\w+)>(.*)<\/\1>\s*$/, '$1: $2')
    .replaceAll(/[*_`#>|"'“”‘’{}[\]]|^\s*(?:[-•]|\d+[.)])\s/gu, ' ')
    .replaceAll(/\p{Extended_Pictographic}|\ufe0f/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.!:;,]+$/, '')
    .trim()
    .toLowerCase()
  const said = LABELLED.exec(plain)?.[1] ?? plain
  const explained = EXPLAINED.exec(plain)?.[1]
  if (NO.test(said) || (explained !== undefined && NO.test(explained))) return false
  if (YES.test(said)) return true
  return undefined
}

const SUBJECT = '(?:(?:it|this|the (?:answer|output|response|agent|system|case|test))(?: has)? )?'
const LABEL =
  '(?:my |the )?(?:final |overall )?(?:verdict|result|decision|judge?ment|conclusion|outcome|evaluation|grade|assessment|status|passed)'
const LABELLED = new RegExp(`^${LABEL}(?: is)? ?[:=–—-]? ?(.*)$`)
/** "Verdict: FAIL, since …". Only against a pass: "Result: correct, but not complete" is not a pass. */
const EXPLAINED = new RegExp(`^${LABEL}(?: is| ?[:=–—-]) ?(.*?) ?(?:[,;:.(–—-]|(?:because|since|as|due) ).*$`)
const NO = new RegExp(
  `^${SUBJECT}(?:fail(?:s|ed|ing)?|does not (?:pass|meet).*|did not (?:pass|meet).*|doesn t (?:pass|meet).*|is not a pass|not (?:a )?pass(?:ed|ing)?|no pass|reject(?:s|ed)?|is rejected|incorrect|is incorrect|unacceptable|false)$`,
)
const YES = new RegExp(
  `^${SUBJECT}(?:pass(?:es|ed|ing)?|meets (?:all )?(?:the )?criteri(?:a|on)|is (?:a pass|accepted|correct)|accept(?:s|ed)?|correct|approved|true)$`,
)
