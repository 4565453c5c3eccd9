// The tools of the desk, on a database that every attempt at a case has to itself.
import db from './db.json'

type Database = typeof db & { transfers: { customer: string; summary: string }[] }
type Reservation = (typeof db.reservations)['r1']

export const store = (): Database => db as Database

export const tools = {
  find_customer: {
    description: 'Finds a customer and their reservations by e-mail address.',
    parameters: object({ email: 'string' }),
    run({ email }: { email: string }, { customers, reservations }: Database) {
      const [id, customer] = Object.entries(customers).find(([, each]) => each.email === email) ?? fail(`nobody has ${email}`)
      const own = Object.entries(reservations).filter(([, reservation]) => reservation.customer === id)
      return { id, ...customer, reservations: Object.fromEntries(own) }
    },
  },
  is_free: {
    description: 'Whether an item is free from a day on, for a number of days.',
    parameters: object({ item: 'string', from: 'string', days: 'integer' }),
    run: ({ item, from, days }: { item: string; from: string; days: number }, { reservations }: Database) => ({
      free: !Object.values(reservations).some((each) => each.item === item && each.status === 'booked' && overlaps(each, from, days)),
    }),
  },
  cancel_reservation: {
    description: 'Cancels a reservation.',
    parameters: object({ reservation: 'string' }),
    run({ reservation }: { reservation: string }, database: Database) {
      booked(database, reservation).status = 'cancelled'
      return { status: 'cancelled' }
    },
  },
  move_reservation: {
    description: 'Moves a reservation to other days.',
    parameters: object({ reservation: 'string', from: 'string', days: 'integer' }),
    run({ reservation, from, days }: { reservation: string; from: string; days: number }, database: Database) {
      const found = booked(database, reservation)
      Object.assign(found, { from, days })
      return { price: database.items[found.item as 'bike-1'].price * days }
    },
  },
  add_helmet: {
    description: 'Adds a helmet to a reservation.',
    parameters: object({ reservation: 'string' }),
    run({ reservation }: { reservation: string }, database: Database) {
      booked(database, reservation).helmet = true
      return { helmet: true }
    },
  },
  give_credit: {
    description: 'Gives a customer a credit for a reservation.',
    parameters: object({ reservation: 'string', amount: 'number' }),
    run({ reservation, amount }: { reservation: string; amount: number }, { customers, reservations }: Database) {
      const found = reservations[reservation as 'r1'] ?? fail(`no reservation ${reservation}`)
      found.credited = true
      customers[found.customer as 'c1'].credit += amount
      return { credit: customers[found.customer as 'c1'].credit }
    },
  },
  transfer: {
    description: 'Hands the customer over to a colleague.',
    parameters: object({ customer: 'string', summary: 'string' }),
    run({ customer, summary }: { customer: string; summary: string }, { transfers }: Database) {
      transfers.push({ customer, summary })
      return 'a colleague takes over'
    },
  },
}

function booked({ reservations }: Database, id: string): Reservation {
  const found = reservations[id as 'r1'] ?? fail(`no reservation ${id}`)
  return found.status === 'booked' ? found : fail(`${id} is ${found.status}`)
}

function overlaps(taken: Reservation, from: string, days: number): boolean {
  const day = (text: string): number => Date.parse(text) / 86_400_000
  return day(from) < day(taken.from) + taken.days && day(taken.from) < day(from) + days
}

function object(fields: Record<string, string>): object {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]))
  return { type: 'object', properties, required: Object.keys(fields), additionalProperties: false }
}

function fail(message: string): never {
  throw new Error(message)
}
