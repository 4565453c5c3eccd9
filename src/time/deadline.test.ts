// Waiting that ends when it is told to, and says why.
import { expect, test } from 'vitest'
import { isUnheard } from './abort.js'
import { Clock } from './clock.js'
import { boundBy, CancelledError, DeadlineError, orAborted } from './deadline.js'

test('the text of a deadline is the duration as it was written', () => {
  expect(new DeadlineError('1m30s').message).toBe('timeout after 1m30s')
})

test('work that is done is handed on, failures included', async () => {
  const { signal } = new AbortController()
  expect(await orAborted(Promise.resolve(7), signal)).toBe(7)
  await expect(orAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
})

test('work that does not listen is left behind with the reason of the signal', async () => {
  const controller = new AbortController()
  const waiting = orAborted(new Promise(() => {}), controller.signal, 1)
  setImmediate(() => controller.abort(new CancelledError('stopped')))
  await expect(waiting).rejects.toThrow('stopped')
})

test('a signal that had aborted before counts as well', async () => {
  const controller = new AbortController()
  controller.abort(new DeadlineError('1s'))
  await expect(orAborted(new Promise(() => {}), controller.signal, 1)).rejects.toThrow('timeout after 1s')
})

test('what the work says in the grace after the abort is kept', async () => {
  const controller = new AbortController()
  const work = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('this far')))
  })
  setImmediate(() => controller.abort(new DeadlineError('1s')))
  await expect(orAborted(work, controller.signal)).rejects.toThrow('this far')
})

test('nothing is left listening after the work is done', async () => {
  const controller = new AbortController()
  await orAborted(new Promise((resolve) => setImmediate(() => setImmediate(resolve))), controller.signal)
  expect(isUnheard(controller.signal)).toBe(true)
})

test('a bound ends by its own time or with the outer signal, whichever comes first', async () => {
  const outer = new AbortController()
  const own = boundBy(outer.signal, 1, '1ms', new Clock())
  await new Promise((resolve) => own.signal.addEventListener('abort', resolve))
  expect(own.signal.reason).toEqual(new DeadlineError('1ms'))
  const other = boundBy(outer.signal, 60_000, '1m', new Clock())
  outer.abort(new CancelledError('stopped'))
  expect(other.signal.reason).toBeInstanceOf(CancelledError)
  other.clear()
})
