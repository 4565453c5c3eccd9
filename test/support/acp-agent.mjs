// A small agent that speaks ACP on stdio, made with the protocol's own SDK. It does what it is told.
import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import * as acp from '@agentclientprotocol/sdk'

const turns = new Map()

acp
  .agent({ name: 'test' })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(acp.methods.agent.session.new, ({ params }) => {
    if (process.env.NEEDS_LOGIN) throw acp.RequestError.authRequired()
    const sessionId = `s${turns.size + 1}`
    turns.set(sessionId, { count: 0, cwd: params.cwd })
    return { sessionId }
  })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId } = params
    const text = params.prompt.map((block) => block.text ?? '').join('')
    const session = turns.get(sessionId)
    session.count++
    const update = (value) => client.notify(acp.methods.client.session.update, { sessionId, update: value })
    const say = (value) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: value } })
    if (text.startsWith('[')) {
      // Right or wrong: the SDK would not send everything.
      for (const given of JSON.parse(text)) {
        const message = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: given } }
        process.stdout.write(`${JSON.stringify(message)}\n`)
      }
      await say('done')
      return { stopReason: 'end_turn' }
    }
    if (text.startsWith('stop ')) {
      await say('Well')
      return { stopReason: text.slice('stop '.length) }
    }
    switch (text) {
      case 'tools': {
        await update({
          sessionUpdate: 'tool_call',
          toolCallId: 't1',
          title: 'Reading a file',
          name: 'read_file',
          kind: 'read',
          status: 'pending',
          rawInput: { path: 'a.txt' },
        })
        const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
          sessionId,
          toolCall: { toolCallId: 't1' },
          options: [
            { optionId: 'no', name: 'No', kind: 'reject_once' },
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          ],
        })
        await update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 't1',
          status: 'completed',
          rawOutput: { text: 'contents' },
        })
        await say(`permission: ${outcome.optionId}`)
        return { stopReason: 'end_turn' }
      }
      case 'where':
        await say(session.cwd)
        return { stopReason: 'end_turn' }
      case 'hang':
        await say('half')
        spawn('sleep', ['86408'], { detached: true, stdio: 'ignore' }).unref()
        await say(' an answer')
        return new Promise(() => {})
      case 'crash':
        process.stderr.write('out of luck\n')
        return process.exit(9)
      case 'fail':
        throw new acp.RequestError(-32603, 'Internal error', { details: 'it is broken' })
      case 'cut':
        await say('only this much')
        return { stopReason: 'max_tokens' }
      case 'stubborn':
        process.on('SIGTERM', () => {})
        setInterval(() => {}, 1000)
        return { stopReason: 'end_turn' }
      case 'refuse':
        await say('I would rather not')
        return { stopReason: 'refusal' }
      case 'no reason':
        await say('done')
        return {}
      case 'elsewhere':
        await client.notify(acp.methods.client.session.update, {
          sessionId: 'another',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'not here' } },
        })
        return { stopReason: 'end_turn' }
      default:
        await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'thinking' } })
        for (const piece of [`turn ${session.count}: `, text]) await say(piece)
        return { stopReason: 'end_turn' }
    }
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
