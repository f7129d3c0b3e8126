import type { AliasConfig, Entry } from '../engine/create/route.ts'

/** YAML of `aliases:` that the configuration's reader takes, whatever ids backends give out. */

const SPECIAL = /^(true|false|null|yes|no|on|off|y|n)$/i
const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*$/
/** Characters that YAML wants escaped, or that no reader sees, and that JSON leaves as they are. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029\ufffe\uffff\ud800-\udfff]/gu

const escaped = (character: string): string => {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** A JSON string is a YAML string in double quotes. `$${` stands for `${`, which would be a reference. */
export const quoted = (text: string): string =>
  JSON.stringify(text.replaceAll('${', () => '$${')).replaceAll(UNSEEN, escaped)

const keyOf = (name: string): string => (PLAIN.test(name) && !SPECIAL.test(name) ? name : quoted(name))

const entryText = (entry: Entry): string =>
  typeof entry === 'string' ? quoted(entry) : `{ image_url: ${quoted(entry.image_url)} }`

export interface Line {
  name: string
  entries: Readonly<Record<string, Entry>>
  /** Null: it was there before. */
  note: string | null
  isActive: boolean
}

export const lineText = ({ name, entries, note, isActive }: Line): string => {
  const inner = Object.entries(entries).map(([backend, entry]) => `${keyOf(backend)}: ${entryText(entry)}`)
  // A comment ends with its line.
  const said = note === null ? '' : ` # ${note.replaceAll(UNSEEN, ' ')}`
  return `    ${isActive ? '' : '# '}${keyOf(name)}: { ${inner.join(', ')} }${said}`
}

const section = (kind: keyof AliasConfig, lines: readonly Line[]): string[] => {
  const isEmpty = !lines.some(({ isActive }) => isActive)
  return [`  ${kind}:${isEmpty ? ' {}' : ''}`, ...lines.map(lineText)]
}

export const aliasesText = (lines: Readonly<Record<keyof AliasConfig, readonly Line[]>>): string =>
  `${['aliases:', ...section('voices', lines.voices), ...section('puppets', lines.puppets)].join('\n')}\n`
