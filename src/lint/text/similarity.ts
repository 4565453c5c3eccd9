// How alike two descriptions are, without a model: the cosine of their words, rare words counting more than common ones.
import { contentStems, stem } from './words.js'

/** From here on two descriptions say the same in nearly the same words. */
const ALIKE = 0.8

/** Fewer words say too little to be compared. */
const FEWEST_WORDS = 3

export interface Alike {
  a: number
  b: number
  /** 0 to 1. */
  similarity: number
}

/** Pairs at or above `ALIKE`, most alike first. Words that many of the texts share hardly count. */
export function findAlike(texts: readonly string[]): Alike[] {
  const counts = texts.map(countWords)
  const weight = weigher(counts)
  const vectors = counts.map((words) => unit(vectorOf(words, weight)))
  const found: Alike[] = []
  for (const [a, first] of vectors.entries())
    for (let b = a + 1; b < vectors.length; b++) {
      const second = vectors[b]
      if (!second || first.size < FEWEST_WORDS || second.size < FEWEST_WORDS) continue
      const similarity = product(first, second)
      if (similarity >= ALIKE && !differsInAction(first, second)) found.push({ a, b, similarity })
    }
  return found.toSorted((one, other) => other.similarity - one.similarity)
}

/** Scaled to the length 1, once for each text: the product of two is their cosine. */
function unit(vector: ReadonlyMap<string, number>): Map<string, number> {
  let squares = 0
  for (const weight of vector.values()) squares += weight * weight
  const length = Math.sqrt(squares)
  return new Map(Array.from(vector, ([word, weight]) => [word, length === 0 ? 0 : weight / length]))
}

function product(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const [short, long] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [word, weight] of short) sum += weight * (long.get(word) ?? 0)
  return Math.min(1, sum)
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of contentStems(text)) {
    const meant = SYNONYMS.get(word) ?? word
    counts.set(meant, (counts.get(meant) ?? 0) + 1)
  }
  return counts
}

/** The logarithm of how rare a word is, above 0 even for a word that is in every text. */
function weigher(counts: ReadonlyArray<ReadonlyMap<string, number>>): (word: string) => number {
  const texts = new Map<string, number>()
  for (const words of counts) for (const word of words.keys()) texts.set(word, (texts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + counts.length / (texts.get(word) ?? 1))
}

function vectorOf(words: ReadonlyMap<string, number>, weight: (word: string) => number): Map<string, number> {
  return new Map(Array.from(words, ([word, count]) => [word, (1 + Math.log(count)) * weight(word)]))
}

/** "Starts the server" and "Stops the server" share most words and are not confused. */
function differsInAction(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return OPPOSITES.some(
    ([one, other]) =>
      (a.has(one) && !b.has(one) && b.has(other) && !a.has(other)) ||
      (a.has(other) && !b.has(other) && b.has(one) && !a.has(one)),
  )
}

/** The first of each line stands for the others. */
const SYNONYMS = new Map(
  [
    'get fetch retrieve obtain read',
    'search find query lookup',
    'delete remove erase destroy',
    'create make add generate insert',
    'update modify edit change alter',
    'list enumerate',
    'show display view print',
    'run execute invoke',
    'start launch begin',
    'stop halt terminate',
    'send submit',
    'folder directory',
    'multiple several many',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ').map(stem)
    return others.map((word): [string, string] => [word, first])
  }),
)

const OPPOSITES = [
  'create delete',
  'create update',
  'create get',
  'create list',
  'create search',
  'update delete',
  'update get',
  'delete get',
  'delete list',
  'get write',
  'get set',
  'start stop',
  'open close',
  'enable disable',
  'upload download',
  'import export',
  'push pull',
  'lock unlock',
  'show hide',
  'encode decode',
  'encrypt decrypt',
  'compress decompress',
  'pause resume',
  'connect disconnect',
  'mount unmount',
  'install uninstall',
  'subscribe unsubscribe',
  'increase decrease',
  'first last',
  'next previous',
  'forward back',
  'minimum maximum',
  'input output',
  'old new',
  'public private',
  'horizontal vertical',
  'local remote',
].map((pair): [string, string] => {
  const [one = '', other = ''] = pair.split(' ').map((word) => SYNONYMS.get(stem(word)) ?? stem(word))
  return [one, other]
})
