// One pass over a text finds which of many short strings occur in it: an Aho–Corasick automaton over a folded alphabet.

export interface AnchorScan {
  /** The owners of the anchors found, in ascending order; undefined when there are none (the usual case). */
  find(text: string): number[] | undefined
}

/** `anchors[n]` are the strings owned by number n. Case is ignored, and beyond ASCII all characters count as the same one. */
export function createAnchorScan(anchors: readonly (readonly string[])[]): AnchorScan {
  const alphabet = foldAlphabet(anchors)
  const { table, owners } = buildAutomaton(anchors, alphabet)
  return { find: (text) => scan(text, table, owners, alphabet) }
}

interface Alphabet {
  /** Character code → symbol. 0: in no anchor, 1: beyond ASCII. */
  symbols: Uint8Array
  width: number
}

interface Automaton {
  /** A state is the offset of its row. A negative entry leads to a state where an anchor ends, so that the scan needs no second lookup. */
  table: Int32Array
  owners: Map<number, number[]>
}

function foldAlphabet(anchors: readonly (readonly string[])[]): Alphabet {
  const symbols = new Uint8Array(128)
  let width = 2
  for (const texts of anchors)
    for (const text of texts)
      for (let at = 0; at < text.length; at++) {
        const code = fold(text.charCodeAt(at))
        if (code < 128 && symbols[code] === 0) symbols[code] = width++
      }
  for (let code = 65; code < 91; code++) symbols[code] = symbols[code + 32] ?? 0
  return { symbols, width }
}

function buildAutomaton(anchors: readonly (readonly string[])[], { symbols, width }: Alphabet): Automaton {
  let size = 1
  for (const texts of anchors) for (const text of texts) size += text.length
  const table = new Int32Array(size * width)
  const owners = new Map<number, number[]>()
  /** By state, the offsets of the entries that lead to a longer beginning of an anchor. */
  const edges: number[][] = [[]]
  anchors.forEach((texts, owner) => {
    for (const text of texts) {
      let state = 0
      for (let at = 0; at < text.length; at++) {
        const code = fold(text.charCodeAt(at))
        const edge = state + (code < 128 ? (symbols[code] ?? 0) : 1)
        if (table[edge] === 0) {
          edges[state / width]?.push(edge)
          table[edge] = edges.length * width
          edges.push([])
        }
        state = table[edge] ?? 0
      }
      if (state !== 0) addOwner(owners, state, owner)
    }
  })
  linkFallbacks(table, owners, edges, width)
  return { table: table.subarray(0, edges.length * width), owners }
}

/** Breadth first: every missing edge goes where the longest proper suffix would go, which is in the table by then. */
function linkFallbacks(table: Int32Array, owners: Map<number, number[]>, edges: number[][], width: number): void {
  const fallback = new Int32Array(edges.length)
  const queue = [0]
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] ?? 0
    const back = fallback[state / width] ?? 0
    const own = edges[state / width] ?? []
    const nexts = own.map((edge) => table[edge] ?? 0)
    if (state !== 0) table.copyWithin(state, back, back + width)
    for (const [index, edge] of own.entries()) {
      const next = nexts[index] ?? 0
      const instead = state === 0 ? 0 : Math.abs(table[edge] ?? 0)
      fallback[next / width] = instead
      for (const owner of owners.get(instead) ?? []) addOwner(owners, next, owner)
      table[edge] = owners.has(next) ? -next : next
      queue.push(next)
    }
  }
}

function addOwner(owners: Map<number, number[]>, state: number, owner: number): void {
  const known = owners.get(state)
  if (!known) owners.set(state, [owner])
  else if (!known.includes(owner)) known.push(owner)
}

function scan(
  text: string,
  table: Int32Array,
  owners: Map<number, number[]>,
  { symbols }: Alphabet,
): number[] | undefined {
  let state = 0
  let found: Set<number> | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    state = table[state + (code < 128 ? (symbols[code] as number) : 1)] as number
    if (state >= 0) continue
    state = -state
    for (const owner of owners.get(state) ?? []) (found ??= new Set()).add(owner)
  }
  return found && [...found].toSorted((a, b) => a - b)
}

function fold(code: number): number {
  return code >= 65 && code < 91 ? code + 32 : code
}
