/** Paths on a field of 16 by 16. */
const PATHS = {
  overview: 'M2 9h5V2H2zM9 14h5V7H9zM2 14h5v-3H2zM9 5h5V2H9z',
  video: 'M2 3h12v10H2zM6.500 6v4l3.500-2z',
  webhook:
    'M8 2.500a2.500 2.500 0 0 1 1.500 4.500l2 3.500M8 5l-2.500 5M4 13.500A2.500 2.500 0 1 1 6 11h5M11.500 13.500a2.500 2.500 0 1 0-.500-5',
  backend: 'M2 3h12v4H2zM2 9h12v4H2zM5 5h.1M5 11h.1',
  play: 'M4 2.500l9 5.500-9 5.500z',
  usage: 'M2 14V8M6 14V3M10 14v-4M14 14V6',
  doubt: 'M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.700M8 13h.1',
  key: 'M5.500 13.500a3 3 0 1 1 2.100-5.100L13.500 2.500M11 5l2 2M9.300 6.700l1.500 1.500',
  clients:
    'M6 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M11 3.500a2.500 2.500 0 0 1 0 4.500M12 9.700c1.500.500 2.500 1.800 2.500 3.800',
  audit: 'M3 2h7l3 3v9H3zM5.500 7h5M5.500 9.500h5M5.500 12h3',
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.500 10.500L14 14',
  copy: 'M5 5V2h9v9h-3M2 5h9v9H2z',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  close: 'M3 3l10 10M13 3L3 13',
} as const
export type IconName = keyof typeof PATHS

/** Beside words that say the same, so that nobody needs to see it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
)
