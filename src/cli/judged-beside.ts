// What people have said about the judges of a run: the labels beside its cases, and the licences of its project.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findAppRoot } from '../files/app-root.js'
import { outputHash } from '../pipeline/fold/judged/judged-answers.js'
import type { JudgedSource } from '../pipeline/fold/judged/judged-fold.js'
import { readEdges } from '../pipeline/record/read-parts.js'
import { readLicences } from '../run/helpers/licences.js'
import {
  hasLabels,
  joinLabels,
  labelKey,
  labelsDrawnFrom,
  opinionsOf,
  readLabels,
  type LabelFile,
  type Opinion,
} from '../suite/judges/labels.js'
import { methodOf } from '../suite/judges/rates.js'

/** `given`: files of labels that were named instead. Undefined: there is nothing beside the run. */
export async function judgedBeside(events: string, given?: unknown): Promise<JudgedSource | undefined> {
  const start = (await readEdges(events))?.start
  if (!start) return undefined
  const appRoot = findAppRoot(dirname(resolve(events)), process.cwd())
  const paths = Array.isArray(given) ? (given as string[]) : labelFiles(start.input, events, appRoot)
  const labels = labelsDrawnFrom(joinLabels(paths.map(readLabels)), start.run_id)
  const licences = readLicences(appRoot)
  if (labels.labels.length + licences.size === 0) return undefined
  return sourceOf(start.run_id, labels, (hash) => licences.get(hash)?.labels)
}

function sourceOf(run_id: string, file: LabelFile, licence: JudgedSource['licence']): JudgedSource {
  const opinions = opinionsOf(file.labels)
  return {
    method: (hash) => methodOf(file, hash, run_id),
    label: (result, { at, output, judge }) => {
      const { id, run, variant } = result
      const opinion = opinions.get(labelKey({ case: id, run, variant, at, output: outputHash(output) }))
      // A label of another question says nothing about this one.
      return opinion?.label.criterion === judge.criterion ? VERDICTS[opinion.verdict] : undefined
    },
    licence,
  }
}

const VERDICTS: Record<Opinion['verdict'], boolean | undefined> = { pass: true, fail: false, cannot_tell: undefined }

const LABELS = 'labels.jsonl'

/** Where `viva label` writes: beside the cases, or else beside the run. */
function labelFiles(input: string, events: string, appRoot: string): string[] {
  const folders = [dirname(resolve(input)), dirname(resolve(appRoot, input)), dirname(resolve(events))]
  return [...new Set(folders)]
    .map((folder) => join(folder, LABELS))
    .filter((path) => existsSync(path) && hasLabels(path))
}
