// The address bar: `#T001` opens a case, `#T001/3` its third run. In the live viewer the fragment first carries the key.

export interface Place {
  id: string
  run?: number
}

export function parseHash(hash: string): Place | undefined {
  const text = hash.replace(/^#/, '')
  if (text === '' || text.startsWith('key=')) return undefined
  const [id = '', run] = text.split('/')
  const number = Number(run)
  return { id: decode(id), ...(run && Number.isInteger(number) && number > 0 ? { run: number } : {}) }
}

export function formatHash(place: Place | undefined): string {
  if (!place) return ''
  // A lone surrogate cannot be encoded; such an id has no address of its own.
  return `#${encodeURIComponent(place.id.replace(/\p{Cs}/gu, '\ufffd'))}${place.run === undefined ? '' : `/${place.run}`}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
