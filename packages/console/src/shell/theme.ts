/** `auto` is what the system says. Kept in the browser: it is no secret. */
export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT = 'talkbridge-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

export const themeNow = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEPT)) ?? 'auto'

const apply = (): void => {
  const theme = themeNow()
  document.documentElement.dataset['theme'] = theme === 'auto' ? (system.matches ? 'dark' : 'light') : theme
}

/** From now on the page has the colours that are wanted, also when the system changes its own. */
export const applyTheme = (): void => {
  system.addEventListener('change', apply)
  apply()
}

const hearers = new Set<() => void>()

/** Calls `hear` after every change of the theme. */
export const watchTheme = (hear: () => void): (() => void) => {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

export const nextTheme = (): void => {
  localStorage.setItem(KEPT, THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length] ?? 'auto')
  apply()
  for (const hear of hearers) hear()
}
