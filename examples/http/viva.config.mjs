const origin = `http://127.0.0.1:${process.env.DESK_PORT ?? 8787}`
const headers = { 'x-desk': 'front' }

export default {
  agents: {
    desk: {
      target: `${origin}/desk`,
      headers,
      response_path: '$.answer.text',
      tool_calls_path: '$.calls',
      usage_path: '$.tokens',
    },
    chat: { target: `${origin}/v1`, headers, model: 'help-desk', stream: true },
  },
}
