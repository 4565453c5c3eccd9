// An agent on stdio that looks for files, with permission.
import { readdirSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import * as acp from '@agentclientprotocol/sdk'

const sessions = new Map()

acp
  .agent({ name: 'files' })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(acp.methods.agent.session.new, ({ params }) => {
    const sessionId = `session-${sessions.size + 1}`
    sessions.set(sessionId, { cwd: params.cwd, found: 0 })
    return { sessionId }
  })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params
    const session = sessions.get(sessionId)
    const said = prompt.map((block) => block.text ?? '').join('')
    const update = (value) => client.notify(acp.methods.client.session.update, { sessionId, update: value })
    const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
    const ending = /\*(\.\w+)/.exec(said)?.[1]
    if (!ending) {
      await say(`So far I found ${session.found}.`)
      return { stopReason: 'end_turn' }
    }
    const tool = { toolCallId: 'call-1', title: `Listing *${ending}`, name: 'list_files', kind: 'search' }
    await update({ sessionUpdate: 'tool_call', ...tool, status: 'pending', rawInput: { ending } })
    const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'call-1' },
      options: [
        { optionId: 'no', name: 'No', kind: 'reject_once' },
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      ],
    })
    const files = outcome.optionId === 'yes' ? readdirSync(session.cwd).filter((name) => name.endsWith(ending)) : []
    session.found += files.length
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'completed', rawOutput: { files } })
    for (const piece of ['There is: ', files.toSorted().join(', ')]) await say(piece)
    return { stopReason: 'end_turn' }
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
