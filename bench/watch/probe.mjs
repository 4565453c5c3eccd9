// Loaded into the watching process: on SIGUSR2 collects garbage and says what is left. Code that V8 has compiled is part of
// the heap and grows for some hundred rounds; objects do not.
import { writeFileSync } from 'node:fs'
import v8 from 'node:v8'

process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const objects = v8.queryObjects(Object)
  if (process.env.PROBE_SNAPSHOT)
    v8.writeHeapSnapshot(`${process.env.PROBE_SNAPSHOT}-${Math.round(process.uptime())}.heapsnapshot`)
  const resources = process.getActiveResourcesInfo()
  writeFileSync(
    process.env.PROBE_FILE,
    JSON.stringify({ heap: heapUsed + external, objects, resources: resources.length }),
  )
})
