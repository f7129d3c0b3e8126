export interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/

/** The samples of Prometheus' text format, as far as the gateway writes it. */
export const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = LINE.exec(line) ?? []
      if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', of = '']) => [key, of] as const)
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })

/** Those of one metric whose labels include these. */
export const samples = (text: string, name: string, labels: Readonly<Record<string, string>> = {}): Sample[] =>
  samplesOf(text).filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )

/** Their sum; 0 if there is none. */
export const sumOf = (...of: Parameters<typeof samples>): number =>
  samples(...of).reduce((sum, { value }) => sum + value, 0)
