import { expect, test } from 'vitest'
import { isUnheard, offAbort, onAbort } from './abort.js'

test('a listener is called once, a removed one is not', () => {
  const controller = new AbortController()
  const heard: string[] = []
  const gone = (): void => void heard.push('gone')
  onAbort(controller.signal, () => heard.push('first'))
  onAbort(controller.signal, gone)
  onAbort(controller.signal, () => heard.push('last'))
  offAbort(controller.signal, gone)
  controller.abort()
  controller.abort()
  expect(heard).toEqual(['first', 'last'])
})

test('one listener stops another while they are being called', () => {
  const controller = new AbortController()
  const heard: string[] = []
  const second = (): void => void heard.push('second')
  onAbort(controller.signal, () => {
    heard.push('first')
    offAbort(controller.signal, second)
  })
  onAbort(controller.signal, second)
  controller.abort()
  expect(heard).toEqual(['first'])
})

test('a signal is unheard if neither we nor anyone else listens to it', () => {
  const { signal } = new AbortController()
  const ours = (): void => {}
  const theirs = (): void => {}
  expect(isUnheard(signal)).toBe(true)
  onAbort(signal, ours)
  expect(isUnheard(signal)).toBe(false)
  offAbort(signal, ours)
  expect(isUnheard(signal)).toBe(true)
  signal.addEventListener('abort', theirs)
  expect(isUnheard(signal)).toBe(false)
  signal.removeEventListener('abort', theirs)
  expect(isUnheard(signal)).toBe(true)
})
