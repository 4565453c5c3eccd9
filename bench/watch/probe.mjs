// Loaded into the watching process: on SIGUSR2 collects garbage and says how much is left.
import { writeFileSync } from 'node:fs'
import v8 from 'node:v8'

process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  if (process.env.PROBE_SNAPSHOT)
    v8.writeHeapSnapshot(`${process.env.PROBE_SNAPSHOT}-${Math.round(process.uptime())}.heapsnapshot`)
  const resources = process.getActiveResourcesInfo()
  writeFileSync(process.env.PROBE_FILE, JSON.stringify({ heap: heapUsed + external, resources: resources.length }))
})
