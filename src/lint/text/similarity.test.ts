import { assert as holds, array, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { findAlike } from './similarity.js'
import { contentStems, stem } from './words.js'

/** Among other tools of the same server, as descriptions are met. */
const OTHERS = [
  'Creates an issue in a repository and assigns it to a person.',
  'Lists the branches of a repository, newest first.',
  'Merges a pull request after its checks have passed.',
]

const isAlike = (one: string, other: string): boolean =>
  findAlike([...OTHERS, one, other]).some(({ a, b }) => a === OTHERS.length && b === OTHERS.length + 1)

test.each([
  ['the same text', 'Finds users by email address.', 'Finds users by email address.'],
  [
    'another order',
    'Finds users by email address in the directory.',
    'In the directory, finds users by email address.',
  ],
  ['synonyms', 'Search for users by email address.', 'Finds a user by their email address.'],
  ['endings', 'Deleting the selected files in a folder.', 'Deletes selected file in the folders.'],
  ['a word more', 'Returns the weather forecast for a city.', 'Returns the current weather forecast for a given city.'],
])('near duplicates: %s', (_what, one, other) => {
  expect(isAlike(one, other)).toBe(true)
})

test.each([
  ['another object', 'Finds users by email address.', 'Finds orders by customer number.'],
  ['part of the subject', 'Reads a file from the workspace as text.', 'Reads a directory of the workspace as a tree.'],
  [
    'the opposite',
    'Starts the database server of the given project.',
    'Stops the database server of the given project.',
  ],
  ['create and delete', 'Creates a branch in a repository by name.', 'Deletes a branch in a repository by name.'],
  ['a common frame', 'Gets the comments of an issue, as JSON.', 'Gets the labels of a milestone, as JSON.'],
])('merely related: %s', (_what, one, other) => {
  expect(isAlike(one, other)).toBe(false)
})

test('what all tools of a list say does not make them alike', () => {
  const frame = 'Only works within allowed directories. Paths are absolute. Fails if the path does not exist.'
  const texts = ['Reads a text.', 'Counts words.', 'Compares images.', 'Renames photos.', 'Zips folders.'].map(
    (text) => `${text} ${frame}`,
  )
  expect(findAlike(texts)).toEqual([])
})

test('the similarity is at most 1, and 1 for the same text', () => {
  const text = array(constantFrom('user', 'order', 'email', 'number', 'city', 'invoice'), {
    minLength: 1,
    maxLength: 12,
  }).map((words) => `${words.join(' ')} in the catalogue of the region`)
  holds(
    property(text, text, (one, other) => {
      for (const { similarity } of findAlike([one, other])) expect(similarity).toBeLessThanOrEqual(1)
      expect(findAlike([one, one])[0]?.similarity).toBeCloseTo(1, 10)
    }),
  )
})

test('the order of the texts does not matter', () => {
  holds(
    property(
      array(constantFrom(...OTHERS, 'Finds a user by email.', 'Search users by their email.'), {
        minLength: 2,
        maxLength: 6,
      }),
      (texts) => {
        const pairs = (list: string[]): string[] =>
          findAlike(list)
            .map(({ a, b }) => [list[a] ?? '', list[b] ?? ''].toSorted().join('|'))
            .toSorted()
        expect(pairs(texts.toReversed())).toEqual(pairs(texts))
      },
    ),
  )
})

test('any text has words, and a stem is stable', () => {
  holds(property(string({ unit: 'binary' }), (text) => void contentStems(text)))
  for (const [one, other] of [
    ['files', 'file'],
    ['deleting', 'deletes'],
    ['queries', 'query'],
    ['stopped', 'stop'],
    ['running', 'run'],
    ['processes', 'process'],
  ] as const)
    expect(stem(one)).toBe(stem(other))
})

test('words of other scripts and of code are told apart', () => {
  expect(contentStems('readFile_byPath')).toEqual(contentStems('read file by path'))
  expect(contentStems('读取文件').length).toBeGreaterThan(1)
  expect(contentStems('Maps routes via Here and checks them there.')).toContain(stem('here'))
})
