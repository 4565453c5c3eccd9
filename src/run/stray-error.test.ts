import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { strayError } from './stray-error.js'

const FOLDER = '/opt/my tools/viva/'

function thrownAt(...frames: string[]): Error {
  const error = new Error('lost')
  error.stack = ['Error: lost', ...frames.map((frame) => `    at ${frame}`)].join('\n')
  return error
}

test.each([`${FOLDER}core.js:1:2`, `send (${pathToFileURL(`${FOLDER}core.js`).href}:1:2)`])(
  'an error thrown at %s is our own',
  (frame) => expect(strayError(thrownAt('node:events:1', frame), 'a case', pathToFileURL(FOLDER))).toBeUndefined(),
)

test('our frames are left out of an error of others', () => {
  const [theirs, ours] = ['file:///home/me/agent.mjs:3:1', `${pathToFileURL(`${FOLDER}core.js`).href}:1:2`]
  const event = strayError(thrownAt(theirs, ours), 'a case', pathToFileURL(FOLDER))
  expect(event).toMatchObject({ message: `Error: lost\n    at ${theirs}`, where: 'a case' })
})
