// `--coverage` as an interceptor: counts what scripts have run, here and on workers, and writes it after the last of them.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { CoverageCollector } from '../../scripts/coverage/coverage.js'
import { writeCoverage } from '../../scripts/coverage/write-coverage.js'
import type { Interceptor, InterceptorInit } from '../interceptor.js'
import { requireCoverageFolder } from './coverage-folder.js'

/** On a worker of a fleet the coordinator writes. */
export function openCoverage({ options, cwd, appRoot, note, lent }: InterceptorInit): Interceptor {
  const folder = resolve(cwd, typeof options.coverage === 'string' ? options.coverage : 'coverage')
  if (!lent) requireCoverageFolder(folder, [appRoot, cwd])
  const collector = new CoverageCollector(realpathSync(appRoot))
  return {
    name: 'coverage',
    coverage: collector,
    files: () => [folder],
    close: async () => {
      // A run that was refused leaves the coverage of an earlier run alone.
      if (!lent && collector.isUsed) note?.(writeCoverage(collector, folder).text)
    },
    lend: async () => ({}),
    // What belongs to all cases travels with the next one.
    collect: (own) => (own ? undefined : collector.take()),
    take: (share) =>
      collector.merge(share) ? [] : ['coverage reported by a worker has an unexpected shape: it is left out'],
  }
}
