import { h } from 'vue'
import Theme from 'vitepress/theme'
import dark from '../../../docs/pictures/dark.webp'
import recording from '../../../docs/pictures/first-run.svg'
import light from '../../../docs/pictures/report.webp'
import './style.css'

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'home-hero-image': terminal, 'home-features-before': report }),
}

function terminal() {
  return h('img', {
    class: 'terminal',
    src: recording,
    alt: 'Six cases pass in a terminal',
  })
}

function report() {
  const alt = 'A report in the browser'
  return h('div', { class: 'report' }, [
    h('img', { class: 'light-only', src: light, alt }),
    h('img', { class: 'dark-only', src: dark, alt }),
  ])
}
