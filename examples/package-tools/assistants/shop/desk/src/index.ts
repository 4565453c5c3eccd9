// Create runs before the model is asked, Next after its last word.

function Create(ctx: agent.Context, messages: agent.Message[]) {
  const turn = ((ctx.memory.chat.Get('turn') as number) || 0) + 1
  ctx.memory.chat.Set('turn', turn)
  const said = String(messages[messages.length - 1].content)
  if (said.includes('refund')) {
    return { delegate: { agent_id: 'shop.refunds', messages: [{ role: 'user', content: said }] } }
  }
  return { prompt_preset: 'chat.friendly', max_tokens: 100 * turn, metadata: { shop: 'Corner' } }
}

function Next(ctx: agent.Context, payload: agent.NextPayload) {
  const failed = (payload.tools ?? []).filter((tool) => tool.error)
  return failed.length === 0 ? null : { data: { sorry: failed.map((tool) => tool.error) } }
}
