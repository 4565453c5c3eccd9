// An agent that reports its tokens but not their cost: the price is in the configuration, under its name or model.
import { costOf } from '../connectors/price.js'
import type { Agent } from '../model/agent.js'
import type { Price } from '../model/config.js'

export function priced(agent: Agent, prices: Record<string, Price> | undefined, names: string[]): Agent {
  const name = names.find((each) => Object.hasOwn(prices ?? {}, each))
  const price = name === undefined ? undefined : prices?.[name]
  if (!price) return agent
  return {
    ...agent,
    send: async (request) => {
      const reply = await agent.send(request)
      const cost = reply.cost_dollars ?? costOf(reply.usage, price)
      return cost === undefined ? reply : { ...reply, cost_dollars: cost }
    },
  }
}
