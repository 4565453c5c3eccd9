// Light or dark: what the system prefers until someone chooses.
import { effect, signal } from '@preact/signals'

export type Theme = 'light' | 'dark'

const KEY = 'viva-theme'
const system = window.matchMedia('(prefers-color-scheme: dark)')

export const theme = signal<Theme>(system.matches ? 'dark' : 'light')
let chosen = false

export function startTheme(): void {
  const saved = readSaved()
  if (saved) choose(saved)
  system.addEventListener('change', () => {
    if (!chosen) theme.value = system.matches ? 'dark' : 'light'
  })
  effect(() => {
    if (chosen) document.documentElement.dataset['theme'] = theme.value
  })
}

export function toggleTheme(): void {
  choose(theme.value === 'dark' ? 'light' : 'dark')
  try {
    localStorage.setItem(KEY, theme.value)
  } catch {
    // A page opened from disk may have no storage; the choice then lasts as long as the page.
  }
}

function choose(value: Theme): void {
  chosen = true
  theme.value = value
  document.documentElement.dataset['theme'] = value
}

function readSaved(): Theme | undefined {
  try {
    const saved = localStorage.getItem(KEY)
    return saved === 'light' || saved === 'dark' ? saved : undefined
  } catch {
    return undefined
  }
}
