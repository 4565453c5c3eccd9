import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { agentRequest, failure } from '../../support/agent-request.js'
import { createProcesses } from '../../support/processes.js'
import { AgentError } from '../../../src/errors.js'
import { createExecAgent } from '../../../src/agents/targets/exec.js'
import { onLinux } from '../../support/systems.js'

const cwd = fileURLToPath(new URL('../../fixtures/agents/', import.meta.url))
const processes = createProcesses()
const agent = (command: string, more = {}) =>
  createExecAgent({ target: `exec:${command}`, ...more }, { processes, cwd, grace_ms: 50 })

test('the conversation arrives on stdin as JSON', async () => {
  const reply = await agent('./echo.sh').send(agentRequest('hi', { options: { mode: 'x' } }))
  expect(reply.content).toMatchObject({ messages: [{ role: 'user', content: 'hi' }], options: { mode: 'x' } })
  expect(reply.exit_code).toBe(0)
})

test('a JSON answer is read as a reply', async () => {
  const reply = await agent('node reply.mjs').send(agentRequest('hi'))
  expect(reply).toMatchObject({
    content: 'you said hi',
    tool_calls: [{ name: 'lookup', args: { id: 1 } }],
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
  })
})

test('plain text is the answer, without its last newline', async () => {
  expect(await agent('./no-read.sh').send(agentRequest('hi'))).toMatchObject({ content: 'did not listen' })
})

test('the last user text can be the last argument, verbatim', async () => {
  const asked = agent('node arguments.mjs --flag', { prompt_mode: 'arg' })
  for (const text of ['$(touch canary) `id` "a" ; b', "it's\n two lines", '']) {
    expect((await asked.send(agentRequest(text))).content).toEqual({ argv: ['--flag', text], input: '' })
  }
  expect((await asked.send(agentRequest('--help'))).content).toEqual({ argv: ['--flag', '--', '--help'], input: '' })
})

test('it runs in the workspace of the case, and is still found where it was named', async () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'viva-exec-')))
  try {
    const reply = await agent('./env.sh').send(agentRequest('', { workspace }))
    expect(reply.content).toContain(`PWD=${workspace}`)
    expect(await agent('node reply.mjs').send(agentRequest('hi', { workspace }))).toMatchObject({
      content: 'you said hi',
    })
  } finally {
    rmSync(workspace, { recursive: true })
  }
})

test('nothing said is an empty answer', async () => {
  expect(await agent('./exit0-silent.sh').send(agentRequest('hi'))).toMatchObject({ content: '', exit_code: 0 })
})

test('a bad exit is an error with the code, the reason and what was said', async () => {
  const error = await failure(agent('./fails.sh').send(agentRequest('hi')))
  expect(error).toBeInstanceOf(AgentError)
  expect(error).toMatchObject({
    code: 'failed',
    message: 'exit code 7: the model file is missing',
    partial: { content: 'half an answer', exit_code: 7 },
  })
})

test('death by a signal names the signal', async () => {
  const error = await failure(agent('./self-kill.sh').send(agentRequest('hi')))
  expect(error).toMatchObject({ code: 'crashed', message: 'killed by SIGKILL' })
})

test('bytes that are not text are kept as base64', async () => {
  expect(await agent('./garbage.sh').send(agentRequest('hi'))).toMatchObject({ output_encoding: 'base64' })
})

test('a flood is an error', async () => {
  const flood = agent('node huge.mjs', { env: { AGENT_MB: '40' } })
  expect(await failure(flood.send(agentRequest('hi')))).toMatchObject({ code: 'too_large' })
})

test('abort ends it, and says so', async () => {
  const controller = new AbortController()
  const pending = failure(agent('./hang.sh').send(agentRequest('hi', { signal: controller.signal })))
  controller.abort(new Error('timeout after 2s'))
  expect(await pending).toMatchObject({ code: 'timeout', message: 'timeout after 2s' })
})

onLinux('a process left behind is named in the reply', async () => {
  expect((await agent('./daemon.sh').send(agentRequest('hi'))).leaked).toEqual([expect.stringContaining('sleep 86404')])
})

test('variables are handed over by name only', async () => {
  process.env['VIVA_TEST_CANARY'] = 'canary'
  try {
    const plain = await agent('./env.sh', { env: { EXTRA: 'yes' } }).send(agentRequest(''))
    expect(plain.content).toContain('EXTRA=yes')
    expect(plain.content).not.toContain('canary')
    const asked = await createExecAgent('exec:./env.sh', { processes, cwd, pass_env: ['VIVA_TEST_CANARY'] }).send(
      agentRequest(''),
    )
    expect(asked.content).toContain('VIVA_TEST_CANARY=canary')
  } finally {
    delete process.env['VIVA_TEST_CANARY']
  }
})

test('a missing command is found when the agent is made', () => {
  expect(() => agent('./nothing.sh')).toThrow(/nothing\.sh does not exist/)
  expect(() => agent('')).toThrow(/names no command/)
})
