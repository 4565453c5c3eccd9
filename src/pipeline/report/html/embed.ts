// JSON that is safe inside a `<script>` element: no character that ends the element, opens a comment, or that old
// JavaScript reads as a line break.

export function embedJson(value: unknown): string {
  return escapeForScript(JSON.stringify(value))
}

export function escapeForScript(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, escapeUnit)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
