import { expect, test } from 'vitest'
import { AgentError } from '../../../errors.js'
import { toolBorder } from './tool-border.js'

const request = { name: 's__a', arguments: { n: 1 }, call_id: 'call_1' }

test('what a tool answers passes with its duration', async () => {
  const seen: unknown[] = []
  const call = toolBorder(async (asked) => {
    seen.push(asked)
    return { result: 1 }
  }, new AbortController().signal)
  expect(await call(request)).toEqual({ result: 1, duration_ms: expect.any(Number) as number })
  expect(seen).toEqual([request])
})

test('a tool that throws has failed; the end of the case and a broken package are not the tool’s', async () => {
  const failing = (error: Error, signal: AbortSignal) => toolBorder(() => Promise.reject(error), signal)(request)
  const { signal } = new AbortController()
  expect(await failing(new Error('broken'), signal)).toMatchObject({ error: 'broken' })
  await expect(failing(new AgentError({ code: 'config', message: 'no server' }), signal)).rejects.toThrow('no server')
  await expect(failing(new Error('ended'), AbortSignal.abort())).rejects.toThrow('ended')
})
