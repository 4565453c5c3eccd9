// The same as an ACP agent: one process for a whole conversation.
import { Readable, Writable } from 'node:stream'
import * as acp from '@agentclientprotocol/sdk'
import { converse } from './ask.mjs'

acp
  .agent({ name: 'test' })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(acp.methods.agent.session.new, () => ({ sessionId: 's1' }))
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const text = await converse([{ role: 'user', content: params.prompt.map((block) => block.text).join('') }])
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
    await client.notify(acp.methods.client.session.update, { sessionId: params.sessionId, update })
    return { stopReason: 'end_turn' }
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
