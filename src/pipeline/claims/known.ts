// What an answer may rest on, and the values in it.
import type { ToolCall } from '../../model/message.js'
import type { Value } from './value.js'

export interface Source {
  /** "the result of search": in words. */
  name: string
  /** In lower case, to look for names in. */
  text: string
  /** The parsed value, if it is data. */
  data?: unknown
  call?: ToolCall
  given?: true
}

export interface Known {
  value: Value
  source: Source
  /** Words of the keys under which it stands, the nearest first. */
  labels: readonly string[]
  /** The records that it is part of, the outer ones first. */
  records: ReadonlyArray<Record<string, unknown>>
  /** As it stands there. */
  shown: string
}
