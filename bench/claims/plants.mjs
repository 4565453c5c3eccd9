// True values of answers, each changed a little. What is a value is decided here, not by what is measured.

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const KINDS = {
  amount: /\$\d[\d,]*(?:\.\d{2})?/g,
  id: /(?<![\w$.,:-])(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6,7}(?![\w-])|(?<![\w-])[A-Z]{3}\d{3}(?![\w-])|\b[a-z]+_[a-z]+_\d{4,}\b/g,
  date: new RegExp(`(?<=(?:${MONTHS}) )\\d{1,2}(?!\\d)|(?<=\\d{4}-\\d{2}-)\\d{2}(?!\\d)`, 'g'),
}

/** `each` of every kind, drawn without replacement: `{run, index, kind, was, now, text, start, end}`. */
export function plants(runs, each, random) {
  return Object.entries(KINDS).flatMap(([kind, pattern]) => {
    const places = runs.flatMap((run) => {
      const texts = run.messages
        .filter(({ role, content }) => role === 'assistant' && content)
        .map(({ content }) => content)
      return texts.flatMap((text, index) =>
        [...text.matchAll(pattern)]
          .filter((match) => isTrue(match[0], kind, run, text))
          .map((match) => ({ run, index, kind, was: match[0], at: match.index, text })),
      )
    })
    return shuffled(places, random)
      .slice(0, each)
      .map(({ at, was, text, ...rest }) => {
        const now = changed(was, kind, random)
        return {
          ...rest,
          was,
          now,
          text: text.slice(0, at) + now + text.slice(at + was.length),
          start: at,
          end: at + now.length,
        }
      })
  })
}

/** It stands in what others said or returned. */
function isTrue(value, kind, { messages }) {
  const others = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content ?? '')
  const wanted = value.replaceAll(/[$,]/g, '').replace(/\.00$/, '')
  return kind === 'date' || others.some((text) => text.includes(wanted))
}

function changed(value, kind, random) {
  if (kind === 'date') {
    const days = Array.from({ length: 28 }, (_, index) => index + 1).filter((day) => day !== Number(value))
    return String(days[Math.floor(random() * days.length)]).padStart(
      value.length === 2 && value.startsWith('0') ? 2 : 1,
      '0',
    )
  }
  const places = [...value.matchAll(kind === 'amount' ? /\d/g : /[A-Z\d]/g)].map(({ index }) => index)
  const at = places[Math.floor(random() * places.length)]
  const alphabet = /\d/.test(value[at]) ? '123456789' : 'ABCDEFGHJKLMNPQRSTUVWXYZ'
  const others = alphabet.split('').filter((letter) => letter !== value[at])
  return value.slice(0, at) + others[Math.floor(random() * others.length)] + value.slice(at + 1)
}

function shuffled(items, random) {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
