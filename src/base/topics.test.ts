import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesTopic } from './topics.js'

const segment = fc.stringMatching(/^[a-z0-9_*-]{1,6}$/)
const topic = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'))

describe('matchesTopic', () => {
  test.each([
    ['build.*', 'build.task', true],
    ['build.*', 'build.task.abandoned', false],
    ['*.start', 'start', false],
    ['a.*.c', 'a.b.c', true],
    ['build.t*', 'build.task', false],
    ['*', 'a.b.c', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j matches %j: %j', (pattern, name, expected) => {
    expect(matchesTopic(pattern, name)).toBe(expected)
  })

  test('every topic matches itself and the bare star', () => {
    fc.assert(fc.property(topic, (name) => matchesTopic(name, name) && matchesTopic('*', name)))
  })

  test('a star in place of any segment still matches, a segment more never does', () => {
    fc.assert(
      fc.property(topic, fc.nat(4), (name, at) => {
        const parts = name.split('.')
        const pattern = parts.map((part, index) => (index === at % parts.length ? '*' : part)).join('.')
        return matchesTopic(pattern, name) && (pattern === '*' || !matchesTopic(pattern, `${name}.more`))
      }),
    )
  })
})
