// One after another, in order; synchronous if nothing waits.
export function mapInOrder<Item, Done>(
  items: readonly Item[],
  run: (item: Item) => Done | Promise<Done>,
): Done[] | Promise<Done[]> {
  const results: Done[] = []
  for (let index = 0; index < items.length; index++) {
    const result = run(items[index] as Item)
    if (result instanceof Promise) return goOn(results, result, items.slice(index + 1), run)
    results.push(result)
  }
  return results
}

async function goOn<Item, Done>(
  results: Done[],
  pending: Promise<Done>,
  rest: readonly Item[],
  run: (item: Item) => Done | Promise<Done>,
): Promise<Done[]> {
  results.push(await pending)
  for (const item of rest) results.push(await run(item))
  return results
}
