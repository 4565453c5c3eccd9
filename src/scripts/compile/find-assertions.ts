// Whether the source of a test can fail at all: it contains an assertion, `t.Error` or similar, a `throw`, or passes `t` to
// something that may. What a test does by other means (an imported function that throws) is not seen.
import type { Node } from './syntax-tree.js'

/** By name: a function at the top level of the file. */
export type Functions = ReadonlyMap<string, Node>

/** Members of `t` that decide nothing. */
const NEUTRAL = /^(?:log|name|mock|calls|cleanup|skip|skipped|failed)$/i
/** `assert.equal(…)`, `expect(x).toBe(…)`, `x.should.equal(…)`, `checkOrder(…)`. */
const ASSERTING = /^(?:assert|expect|should|must|verif|ensure|check)/i

export function holdsAssertion(fn: Node, functions: Functions): boolean {
  return new Search(functions).inFunction(fn, true)
}

class Search {
  readonly #functions: Functions
  readonly #seen = new Set<Node>()

  constructor(functions: Functions) {
    this.#functions = functions
  }

  /** `withT`: its first parameter is `t`. */
  inFunction(fn: Node, withT: boolean): boolean {
    if (this.#seen.has(fn)) return false
    this.#seen.add(fn)
    const [first] = fn.params ?? []
    if (withT && first && first.type !== 'Identifier') return true
    return this.#within(fn.body, withT ? first?.name : undefined)
  }

  #within(node: unknown, t: string | undefined): boolean {
    if (Array.isArray(node)) return node.some((item) => this.#within(item, t))
    if (!isNode(node)) return false
    switch (node.type) {
      case 'ThrowStatement':
        return true
      case 'ExpressionStatement':
        // `t.assert.True`, named and never called.
        return node.expression?.type !== 'MemberExpression' && this.#within(node.expression, t)
      case 'Identifier':
        return t !== undefined && node.name === t
      case 'CallExpression':
        return this.#inCall(node, t)
      case 'MemberExpression':
        if (isNamed(node.object, t)) return !isNeutral(node)
        // The name of a property is not a use of `t`.
        return this.#within(node.object, t) || (node.computed === true && this.#within(node.property, t))
      case 'Property':
        return (node.computed === true && this.#within(node.key, t)) || this.#within(node.value, t)
      default:
        return Object.values(node).some((part) => this.#within(part, t))
    }
  }

  #inCall(node: Node, t: string | undefined): boolean {
    const { callee, arguments: args = [] } = node
    if (isSubtest(callee, t)) return this.#inSubtest(args, t)
    if (namesIn(callee).some((name) => ASSERTING.test(name))) return true
    const local = callee?.type === 'Identifier' ? this.#functions.get(callee.name ?? '') : undefined
    if (local && this.inFunction(local, false)) return true
    return this.#within(callee, t) || this.#within(args, t)
  }

  /** `t.run("part", (t) => …)`, or a function by its name. */
  #inSubtest([, fn]: Node[], t: string | undefined): boolean {
    if (!fn) return false
    if (fn.body) return this.inFunction(fn, true) || this.#within(fn.body, t)
    const local = fn.type === 'Identifier' ? this.#functions.get(fn.name ?? '') : undefined
    return local ? this.inFunction(local, true) : true
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function isNamed(node: Node | null | undefined, name: string | undefined): boolean {
  return name !== undefined && node?.type === 'Identifier' && node.name === name
}

function isNeutral({ computed, property }: Node): boolean {
  return computed !== true && NEUTRAL.test(property?.name ?? '')
}

function isSubtest(callee: Node | undefined, t: string | undefined): boolean {
  return callee?.type === 'MemberExpression' && isNamed(callee.object, t) && /^run$/i.test(callee.property?.name ?? '')
}

/** `a.b(c).d` → a, b, d. */
function namesIn(callee: Node | null | undefined): string[] {
  switch (callee?.type) {
    case 'Identifier':
      return [callee.name ?? '']
    case 'MemberExpression':
      return [...namesIn(callee.object), ...(callee.computed === true ? [] : [callee.property?.name ?? ''])]
    case 'CallExpression':
      return namesIn(callee.callee)
    default:
      return []
  }
}
