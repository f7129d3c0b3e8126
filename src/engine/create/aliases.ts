import type { Backend, Backends } from '../upstream/accounts.ts'

/** What an alias stands for on one backend: a native id, or an image URL where no portrait is saved there. */
export type Entry = string | { readonly image_url: string }
type Group<E extends Entry = Entry> = Readonly<Record<string, E>>

/** As configured: a name, and what it is called on each backend. */
export interface AliasConfig {
  readonly voices: Readonly<Record<string, Group<string>>>
  readonly puppets: Readonly<Record<string, Group>>
}
export const NO_ALIASES: AliasConfig = { voices: {}, puppets: {} }

/** An id as a client may write it: `<backend>:<native id>`, an alias, or a bare native id. */
export interface Reference {
  /** The backend that the id itself names; null: none. */
  home: string | null
  alias: string | null
  /** Whether this backend can be asked for it. */
  isOf: (backend: Backend) => boolean
  /** What it is called there; null where the id is of another backend and no alias leads from one to the other. */
  on: (backend: Backend) => Entry | null
}

/** `<backend>:<native id>`, where the part before the first colon names a backend that the client sees; else it is native. */
export const parseId = (id: string, backends: Backends): { backend: string | null; native: string } => {
  const colon = id.indexOf(':')
  const name = id.slice(0, Math.max(colon, 0))
  return backends.has(name) ? { backend: name, native: id.slice(colon + 1) } : { backend: null, native: id }
}

/** All names of the backend's account: what one of them has, all have. */
const namesOf = ({ name, account }: Backend): string[] => [name, ...account.backends.filter((other) => other !== name)]

const entryOn = (group: Group, backend: Backend): Entry | null => {
  const name = namesOf(backend).find((one) => Object.hasOwn(group, one))
  return name === undefined ? null : (group[name] ?? null)
}

const sameImage = (url: string): string => URL.parse(url)?.href ?? url

const tableOf = (configured: Readonly<Record<string, Group>>) => {
  const groups = new Map(Object.entries(configured))
  const byNative = new Map<string, Group[]>()
  const byImage = new Map<string, Group>()
  for (const group of groups.values()) {
    for (const entry of new Set(Object.values(group))) {
      if (typeof entry === 'string') byNative.set(entry, [...(byNative.get(entry) ?? []), group])
      else byImage.set(sameImage(entry.image_url), group)
    }
  }
  const linked = (native: string, backend: string): Group | undefined =>
    byNative.get(native)?.find((group) => Object.hasOwn(group, backend) && group[backend] === native)

  const ofAlias = (alias: string, group: Group): Reference => ({
    home: null,
    alias,
    isOf: (backend) => entryOn(group, backend) !== null,
    on: (backend) => entryOn(group, backend),
  })

  const qualified = (home: string, native: string, backends: Backends): Reference => {
    const accountId = backends.get(home)?.account.id
    const on = (backend: Backend): Entry | null => {
      if (backend.name === home || backend.account.id === accountId) return native
      const group = linked(native, home)
      return group ? entryOn(group, backend) : null
    }
    return { home, alias: null, isOf: (backend) => on(backend) !== null, on }
  }

  /** A bare id belongs to the chosen backend. If an alias links it to another backend, it stands for that alias. */
  const bare = (native: string): Reference => {
    const on = (backend: Backend): Entry => {
      const found = (byNative.get(native) ?? []).flatMap((group) => entryOn(group, backend) ?? [])
      const [only = native, ...others] = new Set(found)
      return others.length > 0 || found.includes(native) ? native : only
    }
    return { home: null, alias: null, isOf: () => true, on }
  }

  return {
    read(id: string, backends: Backends): Reference {
      const group = groups.get(id)
      if (group) return ofAlias(id, group)
      const { backend, native } = parseId(id, backends)
      return backend === null ? bare(native) : qualified(backend, native, backends)
    },
    /** The saved portrait that an alias links an image to; null: none on this backend. */
    savedImage(imageUrl: string, backend: Backend): string | null {
      const group = byImage.get(sameImage(imageUrl))
      const entry = group ? entryOn(group, backend) : null
      return typeof entry === 'string' ? entry : null
    },
  }
}

/** Finds voices and portraits under whichever of their names a request uses. Pure; made once for each configuration. */
export const createAliases = ({ voices, puppets }: AliasConfig) => ({
  voices: tableOf(voices),
  puppets: tableOf(puppets),
})
export type Aliases = ReturnType<typeof createAliases>
