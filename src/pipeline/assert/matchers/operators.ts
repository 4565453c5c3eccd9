// The operators, one row each.
import { isRecord } from '../../../base/record.js'
import { leaf, MatcherError, outcomeOf, type CompileNode, type Node, type Outcome, type Scope } from './matcher.js'
import type { OperatorName } from '../../../model/matcher-keys.js'
import { nearTest, orderTest, requirePossible } from './numbers.js'
import { patternTest, textTest } from './text.js'

/** All of them hold. */
export function compileOperators(expected: Record<string, unknown>, scope: Scope, compile: CompileNode): Node {
  requirePossible(expected, scope.path)
  const names = Object.keys(expected) as OperatorName[]
  const nodes = names.map((name) => {
    const place = { expected, scope, compile, name, alone: { [name]: expected[name] } }
    return OPERATORS[name](expected[name], place)
  })
  const [only] = nodes
  if (only && nodes.length === 1) return only
  const apart = nodes.findIndex(({ member }) => member !== undefined)
  if (apart >= 0) throw new MatcherError(scope.path, `${names[apart] ?? ''} stands alone: put the rest inside it`)
  return {
    match: (actual, path, found) => nodes.forEach(({ match }) => match(actual, path, found)),
    holdsAlways: nodes.every(({ holdsAlways }) => holdsAlways),
  }
}

interface Place {
  /** The object that it is in. */
  expected: Record<string, unknown>
  /** It and its operand, for messages. */
  alone: Record<string, unknown>
  name: OperatorName
  scope: Scope
  compile: CompileNode
}

type CompileOperator = (operand: unknown, place: Place) => Node

const OPERATORS: Record<OperatorName, CompileOperator> = {
  $eq: (operand, { scope, compile }) => compile(operand, inside({ ...scope, objects: 'exact' })),
  $ne: (operand, place) => not(place.compile(operand, inside({ ...place.scope, objects: 'exact' })), place),
  $not: (operand, place) => not(place.compile(operand, inside(place.scope)), place),
  $in: (operand, place) => anyOf(operand, place),
  $any: (operand, place) => (operand === true ? { match: () => {}, holdsAlways: true } : anyOf(operand, place)),
  $all: (operand, place) => {
    const nodes = compileList(operand, place)
    return {
      match: (actual, path, found) => nodes.forEach(({ match }) => match(actual, path, found)),
      holdsAlways: nodes.every(({ holdsAlways }) => holdsAlways),
    }
  },
  $gt: (operand, place) => testing(place, orderTest('$gt', operand, place.scope.path)),
  $gte: (operand, place) => testing(place, orderTest('$gte', operand, place.scope.path)),
  $lt: (operand, place) => testing(place, orderTest('$lt', operand, place.scope.path)),
  $lte: (operand, place) => testing(place, orderTest('$lte', operand, place.scope.path)),
  $near: (operand, place) => testing(place, nearTest(operand, place.scope.path)),
  $text: (operand, place) => testing(place, textTest(operand, place.scope.path)),
  $regex(operand, place) {
    if (typeof operand !== 'string') throw bad(place, 'needs a string')
    return testing(place, patternTest(operand, place.scope.path))
  },
  $type(operand, place) {
    const types = typeof operand === 'string' ? [operand] : operand
    if (!Array.isArray(types) || types.length === 0 || !types.every((type) => Object.hasOwn(TYPES, String(type))))
      throw bad(place, `needs one of ${Object.keys(TYPES).join(', ')}, or a list of them`)
    return testing(place, (actual) => (types.some((type) => TYPES[String(type)]?.(actual)) ? 'yes' : 'no'))
  },
  $size(operand, place) {
    const size = place.compile(operand, inside(place.scope))
    requireSize(operand, size, place)
    return testing(place, (actual) => {
      const length = sizeOf(actual)
      return length === undefined ? 'unknown' : outcomeOf(size, length)
    })
  },
  $each(operand, { scope, compile, expected, alone }) {
    const node = compile(operand, inside(scope))
    const size = Object.hasOwn(expected, '$size') ? compile(expected['$size'], inside(scope)) : undefined
    const mayBeEmpty = size !== undefined && outcomeOf(size, 0) === 'yes'
    return {
      match(actual, path, found) {
        if (!Array.isArray(actual)) found.push({ path, expected: alone, actual, missing: false, incomparable: true })
        else if (actual.length === 0 && !mayBeEmpty) found.push({ path, expected: alone, actual, missing: false })
        else actual.forEach((item, index) => node.match(item, `${path}[${index}]`, found))
      },
    }
  },
  $contains(operand, place) {
    const node = place.compile(operand, inside(place.scope))
    if (operand === '') throw bad(place, 'needs something to look for: every text contains the empty one')
    return testing(place, (actual) => {
      if (typeof actual === 'string')
        return typeof operand !== 'string' ? 'unknown' : actual.includes(operand) ? 'yes' : 'no'
      if (!Array.isArray(actual)) return 'unknown'
      return either(actual.map((item) => outcomeOf(node, item)))
    })
  },
  $exact: (operand, place) => objects('exact', operand, place),
  $subset: (operand, place) => objects('subset', operand, place),
  $optional(operand, place) {
    requireMember(place)
    return { ...place.compile(operand, inside(place.scope)), member: 'optional' }
  },
  $absent(operand, place) {
    if (operand !== true) throw bad(place, 'needs true')
    requireMember(place)
    return { match: leaf(place.alone, () => 'no'), member: 'absent' }
  },
}

function inside(scope: Scope): Scope {
  return { ...scope, isMember: false }
}

function testing({ alone }: Place, test: (actual: unknown) => Outcome): Node {
  return { match: leaf(alone, test) }
}

function not(node: Node, place: Place): Node {
  if (node.holdsAlways) throw bad(place, 'rules out every value: it cannot hold')
  const opposite = { yes: 'no', no: 'yes', unknown: 'unknown' } as const
  return testing(place, (actual) => opposite[outcomeOf(node, actual)])
}

function anyOf(operand: unknown, place: Place): Node {
  const nodes = compileList(operand, place)
  return {
    ...testing(place, (actual) => either(nodes.map((node) => outcomeOf(node, actual)))),
    holdsAlways: nodes.some(({ holdsAlways }) => holdsAlways),
  }
}

function either(outcomes: Outcome[]): Outcome {
  return outcomes.includes('yes') ? 'yes' : outcomes.includes('unknown') ? 'unknown' : 'no'
}

function compileList(operand: unknown, place: Place): Node[] {
  const { scope, compile, name } = place
  if (!Array.isArray(operand)) throw bad(place, name === '$any' ? 'needs true or a list' : 'needs a list')
  if (operand.length === 0)
    throw bad(place, `needs something in its list: an empty one ${name === '$all' ? 'cannot fail' : 'cannot hold'}`)
  return operand.map((value, index) => compile(value, inside({ ...scope, path: `${scope.path}[${index}]` })))
}

function objects(mode: Scope['objects'], operand: unknown, place: Place): Node {
  if (typeof operand !== 'object' || operand === null) throw bad(place, 'needs an object')
  return place.compile(operand, inside({ ...place.scope, objects: mode }))
}

function requireMember(place: Place): void {
  if (!place.scope.isMember) throw bad(place, 'can only be the value of a key of an object')
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isRecord,
  null: (value) => value === null,
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return Array.from(value).length
  if (Array.isArray(value)) return value.length
  return isRecord(value) ? Object.keys(value).length : undefined
}

/** A size is a whole number from 0: `{"$gte": 0}` always holds, -1 never does. */
function requireSize(operand: unknown, size: Node, place: Place): void {
  const named = JSON.stringify(operand).match(/\d+(?:\.\d+)?/g) ?? []
  const around = named.map(Number).flatMap((value) => [Math.floor(value) - 1, Math.floor(value), Math.floor(value) + 1])
  const sizes = [0, 1, 2, 3, 1e6, ...around].filter((value) => value >= 0)
  const outcomes = sizes.map((value) => outcomeOf(size, value))
  if (outcomes.every((outcome) => outcome === 'yes')) throw bad(place, 'allows every size: it cannot fail')
  if (!outcomes.includes('yes'))
    throw bad(place, 'allows no size: it is a whole number, or an operator such as {"$gte": 2}')
}

function bad({ name, scope }: Place, message: string): MatcherError {
  return new MatcherError(scope.path, `${name} ${message}`)
}
