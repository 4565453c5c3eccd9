// What the rule about wrong arguments says of words that may not be about the arguments.
import { expect, test } from 'vitest'
import type { ContractEvidence, Probe } from '../../../../model/contract.js'
import { wrongArguments } from './wrong-arguments.js'

const probe = (purpose: Probe['purpose'], said: string): Probe =>
  ({ purpose, said, failed: 'words', ended: 'answered' }) as Probe

const kinds = (...probes: Probe[]): string[] =>
  wrongArguments.judge({ probes } as unknown as ContractEvidence).map(({ kind }) => kind)

test('an error in words is a finding, unless valid arguments are answered with the same words', () => {
  const wrong = probe('wrong', 'Error: no browser')
  expect(kinds(wrong)).toEqual(['finding'])
  expect(kinds(probe('typical', 'Error: no such page'), wrong)).toEqual(['finding'])
  expect(kinds(probe('typical', 'Error: no browser'), wrong)).toEqual([])
})
