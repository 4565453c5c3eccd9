// What the tools of mcps/orders.mcp.yao do.
const ORDERS = {
  7: { number: 7, article: 'kettle', paid: 39.9, days: 12 },
  8: { number: 8, article: 'lamp', paid: 24.5, days: 45 },
}

export function Find(number: number) {
  const order = ORDERS[number]
  if (!order) throw new Exception(`no order ${number}`, 404)
  return order
}

export function Refund(number: number, amount: number) {
  return { number, refunded: amount, reference: `R-${1000 + number}` }
}
