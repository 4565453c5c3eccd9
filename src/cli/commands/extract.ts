// `viva extract`: one file per result.
import { UserError } from '../../errors.js'
import { findEventFile } from '../../pipeline/record/find-events.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { extractResults } from '../../pipeline/report/extract.js'
import { openJsonReport } from '../../pipeline/report/open-json-report.js'
import type { CommandCall } from '../command.js'
import { plural } from '../../base/format.js'
import { note } from '../say.js'

export async function extract({ args, flags }: CommandCall): Promise<number> {
  const dir = flags['output']
  if (typeof dir !== 'string') {
    throw new UserError({
      code: 'NO_OUTPUT',
      message: 'viva extract needs a folder',
      hint: 'for example: viva extract results.jsonl -o results/',
    })
  }
  const format = flags['format'] === 'json' ? 'json' : 'markdown'
  const [path = ''] = args
  const recording = path.toLowerCase().endsWith('.json')
    ? await openJsonReport(path)
    : recordingOf(await findEventFile(path, process.cwd()))
  const count = await extractResults({ recording, dir, format })
  note(`${plural(count, 'file')} in ${dir}`)
  return 0
}
