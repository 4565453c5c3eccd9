// What provider packages of each version of the interface are given.
import { expect, test } from 'vitest'
import { completionRequest } from '../../test/support/completion-request.js'
import { sdkCallOptions } from './sdk-prompt.js'

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const URL_OF = 'https://example.com/x.png'

function filesFor(version: string): unknown[] {
  const image = (url: string) => ({ type: 'image_url', image_url: { url } })
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image(PNG), image(URL_OF)] }]
  const dialect = { provider: 'other', mayBeStrict: true, version }
  const [message] = sdkCallOptions(completionRequest({ messages }), {}, dialect).prompt
  const parts = message?.content as unknown
  return (parts as Array<{ data?: unknown }>).flatMap(({ data }) => data ?? [])
}

test.each(['v2', 'v3'])('%s: the data of a file as it is', (version) => {
  expect(filesFor(version)).toEqual(['iVBORw0KGgo=', new URL(URL_OF)])
})

test('v4: it says what it is; untagged, packages leave the file out without a word', () => {
  expect(filesFor('v4')).toEqual([
    { type: 'data', data: 'iVBORw0KGgo=' },
    { type: 'url', url: new URL(URL_OF) },
  ])
})
