import { createPreference } from '../preference.ts'

/** `auto` is what the system says. */
export const theme = createPreference('talkbridge-theme', ['auto', 'light', 'dark'])

const system = matchMedia('(prefers-color-scheme: dark)')

const apply = (): void => {
  const now = theme.now()
  document.documentElement.dataset['theme'] = now === 'auto' ? (system.matches ? 'dark' : 'light') : now
}

/** From now on the page has the colours that are wanted, also when the system changes its own. */
export const applyTheme = (): void => {
  system.addEventListener('change', apply)
  theme.watch(apply)
  apply()
}
