// A program that uses the library: runs a plan of runs at once and writes down what came of them and what they left behind.
import { getEventListeners } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'

const [planFile, resultFile] = process.argv.slice(2)
/** @type {{ library: string, runs: Array<{ name: string, options: object, cwd: string, env: object, stdin?: string, stopWhen?: string, ended?: string }> }} */
const plan = JSON.parse(readFileSync(planFile, 'utf8'))
const { runTests } = await import(plan.library)

/** What is closed is gone a few turns later. */
async function left() {
  for (let turns = 0; turns < 200 && process.getActiveResourcesInfo().length > 0; turns++) await turn()
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)])
  const resources = process.getActiveResourcesInfo()
  return { listeners: Object.fromEntries(listeners), resources, files: openFiles() }
}
// Node makes them when they are first looked at, which it does itself.
void [process.stdout, process.stderr]
const before = await left()

const outcomes = await Promise.all(plan.runs.map(run))

const after = await left()
writeFileSync(resultFile, JSON.stringify({ before, after, outcomes }))

/** What the open descriptors lead to, if the system says: a file left open keeps nothing alive. */
function openFiles() {
  try {
    return readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith('/') && !path.startsWith('/proc'))
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

async function run({ options, cwd, env, stdin, stopWhen, ended }) {
  const controller = new AbortController()
  const seen = []
  const sink = {
    name: 'seen',
    write(event) {
      seen.push(event)
    },
  }
  if (stopWhen !== undefined) void askOnce(stopWhen).then(() => controller.abort())
  const io = { cwd, env, sinks: [sink], ...(stdin !== undefined && { stdin: Readable.from([stdin]) }) }
  try {
    const outcome = await runTests(options, io, controller.signal)
    return { ...outcome, seen, listening: getEventListeners(controller.signal, 'abort').length }
  } catch (error) {
    return {
      error: error.message,
      code: error.code,
      stack: error.stack,
      cause: String(error.cause),
      listening: getEventListeners(controller.signal, 'abort').length,
    }
  } finally {
    if (ended !== undefined) await askOnce(ended)
  }
}

/** Not `fetch`, which keeps its connection. */
async function askOnce(url) {
  const { request } = await import('node:http')
  await new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => response.resume().on('close', resolve))
      .on('error', reject)
      .end()
  })
}
