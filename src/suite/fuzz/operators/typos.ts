// Slips of the finger in a few longer words: two letters swapped, one twice, the key beside a consonant. Missing letters and
// other vowels are left out: they too often make another word, as in "lined list".
import type { Random } from '../../../pipeline/fold/statistics/random.js'
import { pick, sample } from '../free-text.js'
import { onOneText, type Operator } from '../operator.js'

export const typos: Operator = {
  name: 'typos',
  summary: 'words are misspelt',
  change: onOneText(({ free: { text, words } }, random) => {
    const long = words.filter(({ start, end }) => /^\p{Ll}{5,}$/u.test(text.slice(start, end)))
    return sample(long, 1 + Math.floor(random() * MOST), random).flatMap(({ start, end }) => {
      const word = text.slice(start, end)
      const slipped = slip(word, random)
      return slipped === word || REAL_WORDS.has(slipped) ? [] : [{ start, end, text: slipped }]
    })
  }),
}

const MOST = 3

/** First and last letter stay: people read such words without noticing. */
function slip(word: string, random: Random): string {
  const at = 1 + Math.floor(random() * (word.length - 3))
  const [before, one, two, after] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)]
  switch (Math.floor(random() * 3)) {
    case 0:
      return `${before}${two}${one}${after}`
    case 1:
      return `${before}${one}${one}${two}${after}`
    default:
      return `${before}${pick((NEIGHBOURS[one] ?? one).split(''), random) ?? one}${two}${after}`
  }
}

/** Consonants only, on a keyboard with QWERTY. */
const NEIGHBOURS: Readonly<Record<string, string>> = {
  b: 'vn',
  c: 'xv',
  d: 'sf',
  f: 'dg',
  g: 'fh',
  h: 'gj',
  j: 'hk',
  k: 'jl',
  l: 'k',
  m: 'n',
  n: 'bm',
  r: 't',
  s: 'd',
  t: 'r',
  v: 'cb',
  w: 'q',
  x: 'zc',
}

/** A slip that makes another word would change what is said. */
const REAL_WORDS = new Set(
  'trial trail quiet quite angel angle diary dairy being begin united untied casual causal martial marital sacred scared carve crave later latter desert dessert planed planned striped stripped breath breathe loose lose chose choose though thorough through cloths clothes sliver silver signed singed expect except accept affect effect border boarder hoping hopping staring starring filing filling dinner diner super supper course coarse house horse mouse moose store stare share shore place plane price prize'.split(
    ' ',
  ),
)
