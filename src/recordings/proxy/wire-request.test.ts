import { expect, test } from 'vitest'
import { createRedactor } from '../../redact/redactor.js'
import { Normaliser } from '../normalise.js'
import { targetOf } from './upstream.js'
import { askedOf, type WireRequest } from './wire-request.js'

const asked = (path: string, body: object, provider: WireRequest['provider'] = 'openai') =>
  askedOf({ provider, method: 'POST', path, headers: {}, body: Buffer.from(JSON.stringify(body)) })

test('metadata in another order is the same request, whatever ids it has', () => {
  const normaliser = new Normaliser({ secrets: createRedactor({ env: {} }), patterns: {}, root: '/x' })
  const [a, b, c] = ['1', '2', '3'].map((end) => `01a1ed9f-d244-7e83-8ad4-b6656b5e6cb${end}`)
  const keyOf = (client_metadata: object) =>
    normaliser.hash(normaliser.request(asked('/v1/responses', { input: 'hi', client_metadata })))
  expect(keyOf({ turn: b, session: a })).toBe(keyOf({ session: b, turn: c }))
  expect(keyOf({ turn: a, session: a })).not.toBe(keyOf({ session: a, turn: b }))
})

test('the contents of a Gemini request are its messages', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const request = asked('/v1beta/models/m:streamGenerateContent', { contents, generationConfig: {} }, 'google')
  expect(request).toMatchObject({ messages: contents, parameters: { generationConfig: {} } })
})

test('calls of Gemini keep the version that the client names', () => {
  const path = '/v1/models/m:generateContent'
  expect(targetOf('google', path, {}).href).toBe(`https://generativelanguage.googleapis.com${path}`)
  expect(targetOf('google', path, { google: new URL('http://127.0.0.1:9/base') }).href).toBe(
    `http://127.0.0.1:9/base${path}`,
  )
})
