// The probes of one case of a contract, carried out: evidence comes back, whatever the server does.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesOf } from '../files/entries.js'
import { UserError } from '../errors.js'
import type { ContractEvidence, ContractPart } from '../model/contract.js'
import { probePrompt, probeResource, probeTemplate } from './content-probes.js'
import { probeCancellation, probeHandshake, probeLists, probeRefusals } from './server-probes.js'
import { OTHER, startSubject, type ContractContext, type SubjectRun } from './subject-run.js'
import { probeTool } from './tool-probes.js'

export async function carryOut(part: ContractPart, context: ContractContext): Promise<ContractEvidence> {
  const { subject, not_called } = part
  const run = await startSubject(subject, context)
  const { evidence, prober } = run
  if (not_called !== undefined) return { ...evidence, not_called }
  try {
    await probe(run)
  } catch (error) {
    // A command that is not there is an answer, too.
    if (!(error instanceof UserError)) throw error
    evidence.not_started = error.message
  } finally {
    await prober.close()
    await removeOthers(context.workspace)
  }
  evidence.probes.push(...prober.probes)
  evidence.faults.push(...prober.faults)
  evidence.left_out.push(...prober.leftOut)
  return evidence
}

function probe(run: SubjectRun): Promise<void> {
  const { subject } = run.evidence
  switch (subject.kind) {
    case 'tool':
      return probeTool(run, subject.item)
    case 'prompt':
      return probePrompt(run, subject.item)
    case 'resource':
      return probeResource(run, subject.item)
    case 'template':
      return probeTemplate(run, subject.item)
    case 'handshake':
      return probeHandshake(run)
    case 'lists':
      return probeLists(run)
    case 'refusals':
      return probeRefusals(run)
    case 'cancellation':
      return probeCancellation(run)
  }
}

async function removeOthers(workspace: string | undefined): Promise<void> {
  if (workspace === undefined) return
  for (const { name } of entriesOf(workspace))
    if (name.startsWith(OTHER)) await rm(join(workspace, name), { recursive: true, force: true })
}
