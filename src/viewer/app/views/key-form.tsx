// For a browser that has no key yet: the link it was given leads to its place once it has one.
import { useState } from 'preact/hooks'
import { giveKey } from '../data/server.js'

export function KeyForm() {
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      class="notice key-form"
      onSubmit={(event) => {
        event.preventDefault()
        const text = new FormData(event.currentTarget).get('key')
        if (typeof text === 'string' && giveKey(text)) location.reload()
        else setWrong(true)
      }}
    >
      <p>This page has no key for the viewer. Paste the address that viva view printed to open what the link shows.</p>
      <label>
        <span class="sr-only">Address or key</span>
        <input name="key" type="password" autocomplete="off" placeholder="http://127.0.0.1:…/#key=…" required />
      </label>
      <button type="submit" class="ghost framed">
        Open
      </button>
      {isWrong && <p role="alert">There is no key in that.</p>}
    </form>
  )
}
