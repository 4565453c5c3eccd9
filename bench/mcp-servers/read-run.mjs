// The events of a run of a contract → what was listed, called, left out and found.
import { group } from './group.mjs'

export function readRun(server, events, checked) {
  const results = events.filter(({ type }) => type === 'result')
  const tools = results.filter(({ id }) => id.startsWith('tool/'))
  const kinds = group(results, ({ id }) => id.split('/')[0])
  const findings = results.flatMap((result) => findingsOf(server, result, checked))
  return {
    server,
    about: results.map(({ output }) => output?.server).find((each) => each?.name !== undefined),
    counts: Object.fromEntries([...kinds].map(([kind, all]) => [kind, all.length])),
    listed: tools.length,
    exercised: tools.filter(({ status }) => status !== 'skipped').length,
    skipped: results.filter(({ status }) => status === 'skipped').map((result) => skippedOf(server, result)),
    findings,
    hints: results.flatMap(({ id, assertions = [] }) =>
      assertions.filter(({ passed, message }) => passed && message).map(({ message }) => `${id}: ${message}`),
    ),
  }
}

function findingsOf(server, { id, assertions = [], error, error_kind, status }, checked) {
  const failed = assertions.filter(({ passed, unchecked }) => !passed && !unchecked)
  // A case that could not be carried out is not hidden behind the others.
  if (failed.length === 0 && status === 'failed') return [{ id, rule: error_kind, found: error, checked: undefined }]
  return failed.map(({ actual = {}, message }) => {
    const { rule = 'unknown', found = message, also = [], request, answer, before, after } = actual
    return { id, rule, found, also, request, answer, before, after, checked: checked[server.name]?.[`${id} ${rule}`] }
  })
}

function skippedOf({ needs }, { id, skip_reason = '' }) {
  const isMissing = needs !== undefined && needs.says.test(skip_reason)
  return { id, reason: isMissing ? `needs ${needs.what}, which this machine does not have` : skip_reason }
}
