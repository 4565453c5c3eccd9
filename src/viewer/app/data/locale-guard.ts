// Some systems give the browser a language that is no language tag (`en-US@posix`). The chart library asks for
// number formats in it while it loads, and would take the page down with it.

try {
  void new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}

export {}
