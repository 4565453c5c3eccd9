// What a provider package returns beyond words and calls: reasoning with its signatures, and what it notes beside texts
// and calls. It goes back in the parts and the order in which it came.
import { isRecord, readString } from '../base/record.js'

interface SdkPart {
  type: 'text' | 'reasoning' | 'tool-call'
  /** Of texts and reasoning. */
  text?: string
  /** The package's own, as `providerMetadata` in answers. */
  providerOptions?: unknown
}

export class SdkParts {
  readonly #parts: SdkPart[] = []
  /** Those of a stream that are not finished. */
  readonly #open = new Map<string, SdkPart>()

  addWhole(part: { type: string; text?: string; providerMetadata?: unknown }): void {
    if (isKind(part.type)) this.#add(part.type, part.text, part.providerMetadata)
  }

  addPiece(part: { type: string; id?: string; delta?: string; providerMetadata?: unknown }): void {
    const [, kind = '', step = ''] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
    if (part.type === 'tool-call') this.#add(part.type, undefined, part.providerMetadata)
    if (!isKind(kind)) return
    const key = `${kind} ${part.id}`
    const known = step === 'start' ? undefined : this.#open.get(key)
    const open = known ?? this.#add(kind, '', undefined)
    this.#open.set(key, open)
    open.text += part.delta ?? ''
    // The last word counts: a signature comes after the thought.
    if (isRecord(part.providerMetadata)) open.providerOptions = part.providerMetadata
  }

  /** Undefined where words and calls say it all. */
  reasoning(): SdkPart[] | undefined {
    const isMore = this.#parts.some(({ type, providerOptions }) => type === 'reasoning' || isRecord(providerOptions))
    return isMore ? this.#parts : undefined
  }

  #add(type: SdkPart['type'], text: string | undefined, metadata: unknown): SdkPart {
    const part: SdkPart = {
      type,
      ...(text !== undefined && { text }),
      ...(isRecord(metadata) && { providerOptions: metadata }),
    }
    this.#parts.push(part)
    return part
  }
}

/** The parts of an answer, with its calls as they are called now. Undefined if it says or calls something else. */
export function sentParts(kept: unknown[], text: string, calls: object[]): unknown[] | undefined {
  const parts = kept.filter(isRecord).filter(({ type }) => isKind(String(type)))
  const said = parts.map(({ type, text: each }) => (type === 'text' ? (readString(each) ?? '') : '')).join('')
  if (said !== text) return undefined
  if (parts.filter(({ type }) => type === 'tool-call').length !== calls.length) return undefined
  let made = 0
  const sent = parts.map((part) => (part['type'] === 'tool-call' ? { ...calls[made++], ...part } : part))
  return sent.filter((part) => !isBlank(part))
}

/** Providers refuse it, unless something is noted beside it. */
function isBlank(part: Record<string, unknown>): boolean {
  return part['type'] === 'text' && readString(part['text'])?.trim() === '' && part['providerOptions'] === undefined
}

function isKind(type: string): type is SdkPart['type'] {
  return type === 'text' || type === 'reasoning' || type === 'tool-call'
}
