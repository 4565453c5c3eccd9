// How interactions are identified: by conversation, and within it by who is asked.
import type { TakeId } from '../model/cassette.js'

export function takeOf({ case: id, variant = '', run, attempt }: TakeId): string {
  return `${attempt}\0${run}\0${variant}\0${id}`
}

export function keyOf(take: TakeId, hat: string): string {
  return `${takeOf(take)}\0${hat}`
}
