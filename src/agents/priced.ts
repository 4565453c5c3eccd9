// An agent that reports its tokens but not their cost: the price is in the configuration, under its name or model.
import { costOf, type KnownPrice } from '../connectors/price.js'
import { listPrice } from '../connectors/prices.js'
import type { Agent } from '../model/agent.js'
import type { Price } from '../model/config.js'

export function priced(agent: Agent, prices: Record<string, Price> | undefined, names: string[]): Agent {
  const price = priceOf(prices ?? {}, names, agent.id)
  if (!price) return agent
  return {
    ...agent,
    send: async (request) => {
      const reply = await agent.send(request)
      return reply.cost_dollars === undefined ? { ...reply, ...costOf(reply.usage, price) } : reply
    },
  }
}

/** Given by one of the names; else the list price of a model at the host that is asked. */
function priceOf(prices: Record<string, Price>, names: string[], id: string): KnownPrice | undefined {
  const name = names.find((each) => Object.hasOwn(prices, each))
  if (name !== undefined) return prices[name]
  const url = [...names, id].find((each) => /^https?:/.test(each) && URL.canParse(each))
  const listed = url === undefined ? undefined : names.map((each) => listPrice(new URL(url).host, each)).find(Boolean)
  return listed && { ...listed, isEstimated: true }
}
