// `viva shard-plan`: how long cases took before → which shard gets which.
import { UserError } from '../../errors.js'
import { balanceShards } from '../../pipeline/plan/shard-plan.js'
import { readEvents } from '../../pipeline/record/read-events.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { requireNotRead } from '../../files/same-file.js'
import type { CommandCall } from '../command.js'
import { stdout } from '../terminal.js'

export async function shardPlan({ args, flags }: CommandCall): Promise<number> {
  const { shards } = flags
  if (typeof shards !== 'number') throw noCount()
  const durations = await durationsOf(args)
  const text = `${JSON.stringify(balanceShards(durations, shards), null, 1)}\n`
  const output = flags['output'] as string | undefined
  if (output !== undefined) requireNotRead([output], args)
  if (output === undefined) stdout.write(text)
  else await writeText(output, text)
  return 0
}

/** All runs and variants of a case together, since they go to the same shard; with several files the last counts. */
async function durationsOf(paths: string[]): Promise<Map<string, number>> {
  const durations = new Map<string, number>()
  for (const path of paths) {
    const here = new Map<string, number>()
    for await (const event of readEvents(path)) {
      if (event.type !== 'result' || event.skip === true) continue
      const { id, duration_ms } = event
      here.set(id, (here.get(id) ?? 0) + duration_ms)
    }
    for (const [id, duration] of here) durations.set(id, duration)
  }
  return durations
}

function noCount(): UserError {
  return new UserError({
    code: 'NO_COUNT',
    subject: { flag: '--shards' },
    message: 'the number of shards is missing',
    hint: 'for example: viva shard-plan run.jsonl --shards 4 -o plan.json',
  })
}
