// Answers that are not answers: only a question back, or only what was asked. Pure.
// What is said here is printed as a likely cause, so all of these rules would rather miss one than name a wrong one.

/** Nothing but a question that the user must answer first. Greetings may stand before it. */
export function isQuestionBack(answer: string, asked: string): boolean {
  if (answer.length > LONGEST || WANTS_QUESTION.test(asked) || includesWords(answer, asked)) return false
  const sentences = sentencesOf(answer).filter((sentence) => !PLEASANTRY.test(sentence))
  return sentences.length > 0 && sentences.every(asks)
}

/** `all`: word for word; `almost`: with a few words around it. */
export function isEcho(answer: string, asked: string): 'all' | 'almost' | undefined {
  const question = wordsOf(asked)
  // "Hi" is a fine answer to "hi".
  if (question.length < 3 || !includesWords(answer, asked)) return undefined
  const more = wordsOf(answer).length - question.length
  return more === 0 ? 'all' : more <= 3 && more < question.length ? 'almost' : undefined
}

const LONGEST = 600

/** The input wants a question for an answer, or a text made of its own words. */
const WANTS_QUESTION =
  /\b(?:translat|rephras|paraphras|rewrit|reword|repeat|proofread|quiz|riddle)|\bask (?:me|him|her|them)\b|\b(?:write|draft|compose|make|create|generate|suggest|give|invent|pose|list|think of|come up with)\b[^.?!]*\b(?:questions?|survey|title|headline|subject)\b/i

const PLEASANTRY =
  /^(?:(?:sure(?: thing)?|of course|certainly|absolutely|okay|ok|hi|hello|hey|there|thanks|thank you|great|no problem|(?:(?:i can|i(?:'|\u2019)d be (?:happy|glad) to|i would be (?:happy|glad) to|i(?:'|\u2019)m happy to|happy to|glad to) help(?: you)?(?: with (?:that|this|your \w+))?))[\s,.!:\u2013\u2014-]*)+$/i

const CLOSING =
  /\b(?:anything|something) (?:else|more)\b|\b(?:any|other|further|more) (?:questions|help|assistance)\b|\bneed anything\b|\bhelp with anything\b|\b(?:does|did) (?:that|this|it) (?:help|answer|work|make sense)\b|\bis (?:that|this) (?:ok|okay|fine|right|correct|all)\b|\b(?:how|what) (?:can|may|could) i (?:help|assist|do for)\b|\b(?:can|may) i (?:help|assist) you\b/i

const NOT_UNDERSTOOD =
  /^\W*(?:what|sorry|pardon|excuse me|come again|say what|what (?:was|is) that|what do you mean)\W*$/i

/** An answer in the form of a question: "Is it 42?", "Did you know that whales sing?" */
const RHETORICAL =
  /^(?:did|do) you know\b|^(?:who|what) else but\b|^(?:is|are|was|were|could|would|will) (?:it|that|this|they|these|he|she)\b/i

const OPENER =
  /^(?:(?:for|in|on|to|from|at|by|with) )?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|would|will|shall|should|may|have|has)\b/i
const REQUEST =
  /^(?:please|kindly) (?:tell|give|send|provide|share|enter|specify|confirm|choose|select|pick|say|let me know (?:which|what|when|where|how|your))\b|^(?:could|can|would) you\b/i
/** What may stand before the question in its sentence. */
const BEFORE = /^(?:to|before|so that|in order|if|as|and|but|then|also)\b/i

function asks(sentence: string): boolean {
  if ([CLOSING, NOT_UNDERSTOOD, RHETORICAL].some((pattern) => pattern.test(sentence))) return false
  const isMarked = /[?\uff1f][\s"'\u201d\u2019)\]*_]*$/.test(sentence)
  const clauses = sentence.split(/[,:;\u2013\u2014]\s+|\s-\s/)
  const at = clauses.findIndex((clause) => REQUEST.test(clause) || (isMarked && OPENER.test(clause)))
  // "You paid it, did you not?" begins with a statement.
  return at !== -1 && clauses.slice(0, at).every((clause) => BEFORE.test(clause) || PLEASANTRY.test(clause))
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?\uff1f])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[\s"'\u201c\u2018(*_-]+/, '').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function includesWords(text: string, part: string): boolean {
  const words = wordsOf(part)
  return words.length > 0 && ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')} `)
}
