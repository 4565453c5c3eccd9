import { expect, test } from 'vitest'
import { FAULTS } from '../../model/fault.js'
import { FaultLog } from './faults.js'

const draw = (seed: number, rate: number, calls = 4000) => {
  const log = new FaultLog({ faults: FAULTS, rate, seed, delay_ms: 1 }, 'case')
  return Array.from({ length: calls }, () => log.next('agent'))
}

test('hits as many calls as the rate says, with every fault about as often', () => {
  const faults = draw(1, 0.3).filter((fault) => fault !== undefined)
  expect(faults.length / 4000).toBeCloseTo(0.3, 1)
  for (const fault of FAULTS) expect(faults.filter((each) => each === fault).length / faults.length).toBeCloseTo(0.2, 1)
})

test('the same seed gives the same faults, another gives others', () => {
  expect(draw(7, 0.5)).toEqual(draw(7, 0.5))
  expect(draw(8, 0.5)).not.toEqual(draw(7, 0.5))
})

test('calls of another role do not move those of this one', () => {
  const spec = { faults: FAULTS, rate: 0.5, seed: 1, delay_ms: 1 }
  const alone = new FaultLog(spec, 'case')
  const mixed = new FaultLog(spec, 'case')
  for (let call = 1; call <= 20; call += 1) {
    mixed.next('other')
    expect(mixed.next('agent')).toBe(alone.next('agent'))
  }
})
