import { expect, test } from 'vitest'
import fc from 'fast-check'
import { readOtlp } from './otlp.js'

const TRACE = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'desk' } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: 't1',
              spanId: 'a',
              name: 'invoke',
              startTimeUnixNano: '1700000000000000001',
              endTimeUnixNano: '1700000000250500001',
              attributes: [
                { key: 'n', value: { intValue: '3' } },
                { key: 'list', value: { arrayValue: { values: [{ boolValue: true }, { doubleValue: 1.5 }] } } },
              ],
              status: { code: 2, message: 'boom' },
            },
            { spanId: 'b', parentSpanId: 'a', name: 'tool', status: { code: 1 } },
          ],
        },
      ],
    },
  ],
}

test('reads ids, times, attributes and errors', () => {
  const [first, second] = readOtlp(TRACE) ?? []
  expect(first).toMatchObject({
    trace_id: 't1',
    id: 'a',
    name: 'invoke',
    error: 'boom',
    attributes: { 'service.name': 'desk', n: 3, list: [true, 1.5] },
  })
  expect((first?.end_ms ?? 0) - (first?.start_ms ?? 0)).toBeCloseTo(250.5, 2)
  expect(second).toEqual({ trace_id: '', id: 'b', parent: 'a', name: 'tool', attributes: { 'service.name': 'desk' } })
})

test('never throws, and takes nothing else for a trace', () => {
  for (const other of [null, [], {}, 'x', { resourceSpans: 1 }]) expect(readOtlp(other)).toBeUndefined()
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      Array.isArray(readOtlp({ resourceSpans: [value, { scopeSpans: [{ spans: [value] }] }] })),
    ),
  )
})
