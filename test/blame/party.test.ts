// Who is blamed, for failures whose culprit is known.
import { expect, test } from 'vitest'
import { PARTIES } from '../../src/pipeline/report/blame/party.js'
import { FAILURES, FILES } from './built-failures.js'
import { OTHER_FAILURES, OTHER_FILES } from './other-failures.js'
import { blamed, type Blamed } from './run-failures.js'

const told = ({ failure, blame, headline }: Blamed): string =>
  `${failure.id}: ${failure.party}, blamed ${blame === undefined ? 'nobody' : `${blame.party} (${blame.rule}, ${blame.confidence}: ${blame.why})`}; ${headline}`

test('75 failures, fifteen of each party: at least 66 right, and no infrastructure failure is blamed on the agent', async () => {
  for (const party of PARTIES)
    expect(
      FAILURES.filter((failure) => failure.party === party),
      party,
    ).toHaveLength(15)
  const found = await blamed(FAILURES, FILES)
  const wrong = found.filter(({ failure, blame }) => blame?.party !== failure.party)
  if (process.env['BLAME_SHOW'])
    console.log(found.map(told).join('\n'), `\n${found.length - wrong.length} of ${found.length}`)
  const slandered = wrong.filter(({ failure, blame }) => failure.party === 'infrastructure' && blame?.party === 'agent')
  expect(slandered.map(told)).toEqual([])
  expect(found.length - wrong.length, wrong.map(told).join('\n')).toBeGreaterThanOrEqual(66)
}, 120_000)

test('a second set of thirty, which the rules have not seen', async () => {
  const found = await blamed(OTHER_FAILURES, OTHER_FILES)
  const wrong = found.filter(({ failure, blame }) => blame?.party !== failure.party)
  if (process.env['BLAME_SHOW'])
    console.log(found.map(told).join('\n'), `\n${found.length - wrong.length} of ${found.length}`)
  expect(found.length - wrong.length, wrong.map(told).join('\n')).toBeGreaterThanOrEqual(27)
}, 120_000)
