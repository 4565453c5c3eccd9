// A weather agent as a graph: the model and its tools take turns until no tool is called.
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { toLangChain, type AgentMessage } from 'viva'
import { z } from 'zod'

const weather = tool(({ city }: { city: string }) => (city === 'Ulm' ? 'fog' : 'sun'), {
  name: 'weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})

const model = new ChatOpenAI({
  model: 'any',
  apiKey: 'none',
  maxRetries: 0,
  configuration: { baseURL: `${process.env['MODEL_URL']}/v1` },
}).bindTools([weather])

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }, config) => ({ messages: [await model.invoke(messages, config)] }))
  .addNode('tools', new ToolNode([weather]))
  .addEdge(START, 'model')
  .addConditionalEdges('model', ({ messages }) => {
    const last = messages.at(-1)
    return last && 'tool_calls' in last && Array.isArray(last.tool_calls) && last.tool_calls.length > 0 ? 'tools' : END
  })
  .addEdge('tools', 'model')
  .compile()

interface Options {
  signal: AbortSignal
  /** What the turns before returned. */
  history?: unknown[]
}

export function weatherAgent(messages: AgentMessage[], _ctx: unknown, { signal, history }: Options) {
  return graph.invoke({ messages: toLangChain(messages, history) }, { signal })
}
