// The comments of a value in a YAML file: before it, in it, and behind it.
import { isCollection, isMap, isNode, isScalar, isSeq, visit, type Node } from 'yaml'

/** A line each. Those before the first element of a list are kept by the list. */
export function commentsAt(text: string, contents: unknown, steps: ReadonlyArray<string | number>): string[] {
  let node = contents
  let before: string | null | undefined
  for (const step of steps) {
    before = isSeq(node) && step === 0 ? node.commentBefore : undefined
    if (isSeq(node)) node = node.items[Number(step)]
    else if (isMap(node))
      node = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))?.value
  }
  if (!isNode(node)) return []
  const found = linesOf(before)
  visit(node, (_, inner) => {
    if (isNode(inner)) found.push(...linesOf(inner.commentBefore), ...behind(text, inner))
  })
  return found
}

function linesOf(comment: string | null | undefined): string[] {
  return (comment ?? '').split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

/** What follows a block without being indented belongs to what comes next. */
function behind(text: string, node: Node): string[] {
  if (!isCollection(node) || node.flow === true) return linesOf(node.comment)
  const { comment, range } = node
  if (!comment || !range) return []
  const lines = text.slice(range[1], range[2]).split('\n')
  return lines.flatMap((line) => linesOf(/^\s+#(.*)$/.exec(line)?.[1]))
}
