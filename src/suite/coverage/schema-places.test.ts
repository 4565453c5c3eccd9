// What a schema offers and what a call used of it.
import { expect, test } from 'vitest'
import { argumentsOf, MOST_ARGUMENTS, usedArguments, type Schema } from './schema-places.js'
import { toolFinder } from './surface.js'

const ORDER: Schema = {
  type: 'object',
  properties: {
    speed: { $ref: '#/$defs/Speed' },
    gift: { type: 'boolean', default: false },
    'ship.to': { type: 'string' },
    items: { type: 'array', items: { $ref: '#/$defs/Item' } },
    payment: { anyOf: [{ properties: { card: { type: 'string' } } }, { properties: { iban: { type: 'string' } } }] },
    marks: { type: 'array', items: { enum: ['a', 'b'] } },
    note: { type: ['string', 'null'] },
    state: { oneOf: [{ const: 'open' }, { const: 'done' }] },
  },
  required: ['speed'],
  $defs: {
    Speed: { enum: ['slow', 'fast', null] },
    Item: { type: 'object', properties: { id: { type: 'integer' }, part: { $ref: '#/$defs/Item' } } },
  },
}

test('every argument is found, through references, alternatives and lists', () => {
  const paths = argumentsOf(ORDER).map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['speed', 'gift', 'ship.to', 'items', 'items[].id', 'items[].part', 'payment.card']),
  )
  expect(paths).toContain('payment.iban')
  expect(argumentsOf(ORDER).find(({ path }) => path === 'speed')).toMatchObject({
    required: true,
    values: ['slow', 'fast'],
    schema: { enum: ['slow', 'fast', null] },
  })
  // A schema that refers to itself is not repeated in itself.
  expect(paths.filter((path) => path.startsWith('items[].part'))).toEqual(['items[].part'])
})

test('schemas that refer to each other from everywhere end soon', () => {
  const names = Array.from({ length: 30 }, (_, at) => `S${at}`)
  const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })
  const each = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, ref(name)])) }
  const $defs = Object.fromEntries(names.map((name) => [name, { ...each, anyOf: names.map(ref) }]))
  expect(argumentsOf({ ...each, $defs })).toHaveLength(MOST_ARGUMENTS)
})

test('text and a number that look alike are two values', () => {
  const all = argumentsOf({ properties: { x: { enum: ['1', 1, 'true', true] } } })
  expect(usedArguments(all, { x: 1 })[0]?.values).toEqual(['1'])
  expect(usedArguments(all, { x: '1' })[0]?.values).toEqual(['"1"'])
})

function check(args: Record<string, unknown>, given: string[], values: string[]): void {
  const used = usedArguments(argumentsOf(ORDER), args)
  expect(used.filter(({ isGiven }) => isGiven).map(({ path }) => path)).toEqual(given)
  expect(used.flatMap((each) => each.values.map((value) => `${each.path}=${value}`))).toEqual(values)
}

test('a value of an enum', () => check({ speed: 'fast' }, ['speed'], ['speed=fast', 'gift=false']))
test('another value is an argument that was given, and no value', () =>
  check({ speed: 'other' }, ['speed'], ['gift=false']))
test('null gives nothing', () => check({ note: null, speed: null }, [], ['gift=false']))
test('both ways of a boolean', () => check({ gift: true }, ['gift'], ['gift=true']))
test('a default that is not given is used', () => check({}, [], ['gift=false']))
test('a name with a dot in it', () => check({ 'ship.to': 'x' }, ['ship.to'], ['gift=false']))
test('what is not there is not looked into', () => check({ ship: { to: 'x' } }, [], ['gift=false']))
test('fields of items of lists', () => check({ items: [{ id: 1 }, {}] }, ['items', 'items[].id'], ['gift=false']))
test('values of items of lists', () => check({ marks: ['b'] }, ['marks'], ['gift=false', 'marks=b']))
test('constants of alternatives', () => check({ state: 'done' }, ['state'], ['gift=false', 'state=done']))

test('a call is meant for the tool of that name, and for no other', () => {
  const find = toolFinder([{ name: 'orders__find' }, { name: 'stock__find' }, { name: 'getUser' }, { name: 'count' }])
  const named = (name: string, server?: string): string | undefined => find(name, server)?.name
  expect(named('orders__find')).toBe('orders__find')
  expect(named('find', 'stock')).toBe('stock__find')
  expect(named('find')).toBeUndefined()
  expect(named('get_user')).toBe('getUser')
  expect(named('mcp__shop__count')).toBe('count')
  expect(named('mcp__shop__find')).toBeUndefined()
  expect(named('counts')).toBeUndefined()
})
