// The events of a run of a contract → what was listed, called, left out and found.

export function readRun(server, events, checked) {
  const results = events.filter(({ type }) => type === 'result')
  const tools = results.filter(({ id }) => id.startsWith('tool/'))
  return {
    server,
    about: results.map(({ output }) => output?.server).find((each) => each?.name !== undefined),
    listed: tools.length,
    exercised: tools.filter(isExercised).length,
    others: results.length - tools.length,
    skipped: results.filter((result) => !isExercised(result)).map((result) => skippedOf(server, result)),
    findings: results.flatMap((result) => findingsOf(server, result, checked)),
    hints: results.flatMap(({ id, assertions = [] }) =>
      assertions.filter(({ passed, message }) => passed && message).map(({ message }) => `${id}: ${message}`),
    ),
  }
}

/** Calls that the schema allows. */
const VALID = new Set(['typical', 'boundary', 'hostile', 'again'])

/** A tool, prompt or resource that gave at least one result; of the server as a whole, whatever was not skipped. */
function isExercised({ id, status, output }) {
  if (status === 'skipped') return false
  if (id.startsWith('server/')) return true
  return (output?.probes ?? []).some(
    ({ purpose, ended, failed }) => VALID.has(purpose) && ended === 'answered' && failed === undefined,
  )
}

function findingsOf(server, { id, assertions = [], error, error_kind, status }, checked) {
  const failed = assertions.filter(({ passed, actual }) => !passed && actual?.rule !== undefined)
  // A case that could not be carried out is not hidden behind the others.
  if (failed.length === 0 && status === 'failed') return [{ id, rule: error_kind, found: error }]
  return failed.map(({ actual }) => ({ id, ...actual, checked: checked[server.name]?.[`${id} ${actual.rule}`] }))
}

function skippedOf({ needs }, { id, skip_reason, assertions = [] }) {
  const said = skip_reason ?? assertions.find(({ message = '' }) => message.startsWith('not exercised'))?.message
  const reason = (said ?? 'no call was answered with a result').replace(/^not exercised: /, '')
  return { id, reason: needs?.says.test(reason) ? `needs ${needs.what}, which this machine does not have` : reason }
}
