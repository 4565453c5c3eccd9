// List prices of common models as of 2025-12-15, at their vendors' own endpoints. What is not here for certain is not here: tiers by the
// length of a prompt (Gemini Pro), other regions, resellers.
import type { Price } from '../model/config.js'
import { ownValue } from '../base/record.js'

interface Row {
  /** Exact names: a model of another name or date may cost something else. */
  models: string[]
  price: Price
}

interface Vendor {
  /** Hosts, and packages that know their own host. */
  at: string[]
  rows: Row[]
}

const row = (models: string, price: Price): Row => ({ models: models.split(' '), price })
/** Of Anthropic: a cache that lasts five minutes. */
const claude = (models: string, input: number, output: number): Row =>
  row(models, { input, cached_input: input / 10, cache_write: input * 1.25, output })

const VENDORS: Vendor[] = [
  {
    at: ['api.openai.com', '@ai-sdk/openai'],
    rows: [
      row('gpt-5.2 gpt-5.2-2025-12-11', { input: 1.75, cached_input: 0.175, output: 14 }),
      row('gpt-5.1 gpt-5.1-2025-11-13', { input: 1.25, cached_input: 0.125, output: 10 }),
      row('gpt-5 gpt-5-2025-08-07', { input: 1.25, cached_input: 0.125, output: 10 }),
      row('gpt-5-mini gpt-5-mini-2025-08-07', { input: 0.25, cached_input: 0.025, output: 2 }),
      row('gpt-5-nano gpt-5-nano-2025-08-07', { input: 0.05, cached_input: 0.005, output: 0.4 }),
      row('gpt-4.1 gpt-4.1-2025-04-14', { input: 2, cached_input: 0.5, output: 8 }),
      row('gpt-4.1-mini gpt-4.1-mini-2025-04-14', { input: 0.4, cached_input: 0.1, output: 1.6 }),
      row('gpt-4.1-nano gpt-4.1-nano-2025-04-14', { input: 0.1, cached_input: 0.025, output: 0.4 }),
      row('gpt-4o gpt-4o-2024-08-06 gpt-4o-2024-11-20', { input: 2.5, cached_input: 1.25, output: 10 }),
      row('gpt-4o-mini gpt-4o-mini-2024-07-18', { input: 0.15, cached_input: 0.075, output: 0.6 }),
      row('o4-mini o4-mini-2025-04-16', { input: 1.1, cached_input: 0.275, output: 4.4 }),
      row('o3 o3-2025-04-16', { input: 2, cached_input: 0.5, output: 8 }),
      row('o3-mini o3-mini-2025-01-31', { input: 1.1, cached_input: 0.55, output: 4.4 }),
    ],
  },
  {
    at: ['api.anthropic.com', '@ai-sdk/anthropic'],
    rows: [
      claude('claude-opus-4-5 claude-opus-4-5-20251101', 5, 25),
      claude('claude-sonnet-4-5 claude-sonnet-4-5-20250929', 3, 15),
      claude('claude-haiku-4-5 claude-haiku-4-5-20251001', 1, 5),
      claude('claude-opus-4-1 claude-opus-4-1-20250805', 15, 75),
      claude('claude-opus-4-0 claude-opus-4-20250514', 15, 75),
      claude('claude-sonnet-4-0 claude-sonnet-4-20250514', 3, 15),
      claude('claude-3-7-sonnet-latest claude-3-7-sonnet-20250219', 3, 15),
      claude('claude-3-5-haiku-latest claude-3-5-haiku-20241022', 0.8, 4),
    ],
  },
  {
    at: ['generativelanguage.googleapis.com', '@ai-sdk/google'],
    rows: [
      row('gemini-2.5-flash', { input: 0.3, cached_input: 0.03, output: 2.5 }),
      row('gemini-2.5-flash-lite', { input: 0.1, cached_input: 0.01, output: 0.4 }),
      row('gemini-2.0-flash gemini-2.0-flash-001', { input: 0.1, cached_input: 0.025, output: 0.4 }),
    ],
  },
]

const BY_PLACE: Record<string, Record<string, Price>> = Object.fromEntries(
  VENDORS.flatMap(({ at, rows }) => {
    const prices = Object.fromEntries(rows.flatMap(({ models, price }) => models.map((model) => [model, price])))
    return at.map((place) => [place, prices])
  }),
)

/** `place`: the host that is asked, or the package that knows it. */
export function listPrice(place: string, model: string): Price | undefined {
  return ownValue(ownValue(BY_PLACE, place) ?? {}, model)
}
