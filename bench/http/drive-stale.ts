// One process, two clients in turns: how long 60 calls take, in a row and 8 at once. Argument: the URL. Prints JSON.
import { openHttp } from '../../src/http/open-http.js'

const CALLS = 60
const ROUNDS = 41
const [target = ''] = process.argv.slice(2)
const url = new URL(target)
const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ messages: [{ role: 'user', content: 'the lazy dog' }] })
const http = openHttp({ env: {} })
const { signal } = new AbortController()

const clients: Record<string, () => Promise<string>> = {
  fetch: async () => (await fetch(url, { method: 'POST', headers, body, signal })).text(),
  viva: async () => (await (await http.send({ url, headers, body, signal })).text()).text,
}

const found = Object.fromEntries(
  Object.keys(clients).map((name) => [name, { 1: [] as number[], 8: [] as number[], failed: 0 }]),
)
for (let round = 0; round < ROUNDS; round += 1) {
  for (const parallel of [1, 8] as const) {
    for (const [name, call] of Object.entries(clients)) found[name]?.[parallel].push(await time(name, call, parallel))
  }
}
await http.close()
console.log(JSON.stringify(found))

async function time(name: string, call: () => Promise<string>, parallel: number): Promise<number> {
  let left = CALLS
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const text = await call().catch(() => '')
      if (!text.includes('lazy') && found[name]) found[name].failed += 1
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: parallel }, work))
  return performance.now() - began
}
