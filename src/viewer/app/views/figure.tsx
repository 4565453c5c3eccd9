// A number with its name, and what else there is to say about it.

export function Figure({ label, value, note = '' }: { label: string; value: string; note?: string }) {
  return (
    <div class="number">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note && <dd class="sub">{note}</dd>}
    </div>
  )
}
