// What the tools of mcps/orders.mcp.yao do.

export function Find(number: number) {
  if (number === 404) throw new Exception('no such order', 404)
  return { number, state: 'packed' }
}

export function Cancel(number: number) {
  throw new Exception(`this would really cancel order ${number}`, 500)
}
