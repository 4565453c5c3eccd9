import { h } from 'vue'
import Theme from 'vitepress/theme'
import dark from '../../../docs/pictures/dark.webp'
import recording from '../../../docs/pictures/failing-run.svg'
import light from '../../../docs/pictures/report.webp'
import './style.css'

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'home-features-before': pictures }),
}

function pictures() {
  return h('div', { class: 'pictures' }, [
    h('img', { src: recording, alt: 'A failing run in a terminal: what was asked, what came, what was expected' }),
    h('img', { class: 'light-only', src: light, alt: 'The report of the same run in the browser' }),
    h('img', { class: 'dark-only', src: dark, alt: 'The report of the same run in the browser' }),
  ])
}
