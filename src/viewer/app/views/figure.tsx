// A number with its name, and what more there is to say of it.

export function Figure({ label, value, note = '' }: { label: string; value: string; note?: string }) {
  return (
    <div class="number">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note && <dd class="sub">{note}</dd>}
    </div>
  )
}
