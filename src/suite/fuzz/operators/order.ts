// Two statements in the other order. Requests, questions and anything that refers back stay where they are.
import { pick, sample, type Span } from '../free-text.js'
import { onOneText, type Operator } from '../operator.js'

export const order: Operator = {
  name: 'order',
  summary: 'statements come in another order',
  change: onOneText(({ free: { text, sentences }, isEnglish }, random) => {
    if (!isEnglish) return []
    const run =
      pick(
        runsOf(sentences, (each) => isStatement(textOf(text, each))),
        random,
      ) ?? []
    const [one, other] = sample(run, 2, random)
    if (!one || !other || textOf(text, one) === textOf(text, other)) return []
    const middle = text.slice(one.end, other.start)
    return [{ start: one.start, end: other.end, text: `${textOf(text, other)}${middle}${textOf(text, one)}` }]
  }),
}

/** Statements that follow each other, at least two. */
function runsOf(sentences: readonly Span[], isMeant: (sentence: Span) => boolean): Span[][] {
  const runs: Span[][] = [[]]
  for (const sentence of sentences) {
    if (isMeant(sentence)) runs.at(-1)?.push(sentence)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 1)
}

function textOf(text: string, { start, end }: Span): string {
  return text.slice(start, end)
}

/** It begins with its subject, ends with a full stop and refers to nothing outside itself. */
function isStatement(sentence: string): boolean {
  return /^(?:I|We|My|Our|The|A|An|There)\b[^?!:]*\.$/.test(sentence) && !REFERS.test(sentence)
}

const REFERS =
  /\b(?:it|its|this|that|these|those|they|them|their|he|him|his|she|her|then|there(?! (?:is|are|was|were))|so|also|too|instead|otherwise|therefore|however|but|before|after|afterwards|later|earlier|first|second|third|next|last|finally|again|former|latter|other|another|same|such|both|either|neither|one|ones|now|already|since|until|because|above|below|following|previous)\b/i
