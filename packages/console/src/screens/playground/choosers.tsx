import { useState, useEffect, useRef } from 'preact/hooks'
import { api, ask, type Page, type Schema } from '../../api.ts'
import { useAction, useRead } from '../../reads.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { More } from '../../ui/table.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'

type Puppet = Schema<'Puppet'>
const PUPPETS_A_PAGE = 48

const readPuppets = (backend: string, cursor?: string): Promise<Page<Puppet>> => {
  const query = { limit: PUPPETS_A_PAGE, ...(backend !== '' && { backend }), ...(cursor !== undefined && { cursor }) }
  return ask(api.GET('/unified/v1/puppets', { params: { query } }))
}

const Picture = ({ of }: { of: Puppet }) => {
  const [isBroken, setBroken] = useState(false)
  const hasOne = of.thumbnail_url !== null || of.image_url !== null
  if (isBroken || !hasOne) return <span class="play-no-picture">no picture</span>
  return (
    <img
      src={`/console/media/puppets/${encodeURIComponent(of.id)}`}
      alt=""
      loading="lazy"
      width={120}
      height={120}
      onError={() => setBroken(true)}
    />
  )
}

interface PuppetsProps {
  backend: string
  value: string
  describedBy: string | undefined
  onChange: (id: string) => void
}

/** Saved portraits to look at and to choose from. */
export const Puppets = ({ backend, value, describedBy, onChange }: PuppetsProps) => {
  const first = useRead(`puppets ${backend}`, () => readPuppets(backend))
  const [more, setMore] = useState<{ backend: string; page: Page<Puppet> } | null>(null)
  const rest = more?.backend === backend ? more.page : null
  const last = rest ?? first.data
  const puppets = [...(first.data?.data ?? []), ...(rest?.data ?? [])]
  const load = useAction(async () => {
    if (!last?.next_cursor) return
    const page = await readPuppets(backend, last.next_cursor)
    setMore({ backend, page: { ...page, data: [...(rest?.data ?? []), ...page.data] } })
  })
  if (first.isLoading) return <Skeleton rows={4} what="puppets" />
  if (!first.data) return first.error && <Failure error={first.error} retry={first.reload} />
  const isElsewhere = value !== '' && !puppets.some(({ id }) => id === value)
  return (
    <>
      {puppets.length === 0 && (
        <p class="muted">There are no puppets here. Give an image URL instead, or choose another backend.</p>
      )}
      {isElsewhere && (
        <p>
          Chosen: <code>{value}</code>, which is not in this list.
        </p>
      )}
      <ul
        class="play-puppets"
        aria-label="Puppets"
        {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      >
        {puppets.map((puppet) => (
          <li key={puppet.id}>
            <label>
              <input type="radio" name="puppet" checked={value === puppet.id} onChange={() => onChange(puppet.id)} />
              <Picture of={puppet} />
              <span>
                {puppet.name ?? puppet.id}
                <small class="muted">
                  {puppet.backend} · {puppet.type}
                </small>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {load.error && <Failure error={load.error} />}
      <More hasMore={last?.has_more ?? false} isLoading={load.isRunning} load={() => void load.run()} />
    </>
  )
}

type Voice = Schema<'Voice'>
const VOICES_A_PAGE = 100

interface Filter {
  backend: string
  language: string
  gender: string
}

const readVoices = (filter: Filter, cursor?: string): Promise<Page<Voice>> => {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  return ask(
    api.GET('/unified/v1/voices', {
      params: { query: { ...given, limit: VOICES_A_PAGE, ...(cursor !== undefined && { cursor }) } },
    }),
  )
}

/** One sample at a time, for all voices. */
const useSample = () => {
  const audio = useRef<HTMLAudioElement | null>(null)
  const [playing, setPlaying] = useState<string | null>(null)
  const [broken, setBroken] = useState<string | null>(null)
  const stop = (): void => {
    audio.current?.pause()
    setPlaying(null)
  }
  const listen = (id: string): void => {
    const player = audio.current
    if (!player) return
    if (playing === id) return stop()
    setBroken(null)
    setPlaying(id)
    player.src = `/console/media/voices/${encodeURIComponent(id)}`
    player.play().catch((error: unknown) => {
      // Another one was wanted meanwhile.
      if (error instanceof DOMException && error.name === 'AbortError') return
      setPlaying(null)
      setBroken(id)
    })
  }
  return { audio, playing, broken, listen, stop }
}

const facts = ({ language, language_code: code, gender, backend, provider }: Voice): string =>
  [...new Set([language ?? code, gender, provider, backend])].filter((fact) => fact !== null && fact !== '').join(' · ')

/** Choices that were seen once stay, also while a filter hides what they are of. */
const useSeen = (voices: readonly Voice[]) => {
  const seen = useRef({ languages: new Map<string, string>(), genders: new Set<string>() })
  for (const { language_code: code, language, gender } of voices) {
    if (code) seen.current.languages.set(code, language ?? code)
    if (gender) seen.current.genders.add(gender)
  }
  const languages = [...seen.current.languages].toSorted(([, a], [, b]) => a.localeCompare(b))
  return { languages, genders: [...seen.current.genders].toSorted() }
}

const useVoices = (filter: Filter) => {
  const key = JSON.stringify(filter)
  const first = useRead(`voices ${key}`, () => readVoices(filter))
  const [more, setMore] = useState<{ key: string; page: Page<Voice> } | null>(null)
  const rest = more?.key === key ? more.page : null
  const last = rest ?? first.data
  const voices = [...(first.data?.data ?? []), ...(rest?.data ?? [])]
  const load = useAction(async () => {
    if (!last?.next_cursor) return
    const page = await readVoices(filter, last.next_cursor)
    setMore({ key, page: { ...page, data: [...(rest?.data ?? []), ...page.data] } })
  })
  return { first, voices, hasMore: last?.has_more ?? false, load }
}

interface VoicesProps {
  backend: string
  value: string
  /** Of the field's error or hint. */
  describedBy: string | undefined
  onChange: (id: string) => void
}

/** Voices to listen to and to choose from. */
export const Voices = ({ backend, value, describedBy, onChange }: VoicesProps) => {
  const [language, setLanguage] = useState('')
  const [gender, setGender] = useState('')
  const { first, voices, hasMore, load } = useVoices({ backend, language, gender })
  const seen = useSeen(voices)
  const { audio, playing, broken, listen, stop } = useSample()
  useEffect(() => stop, [backend, language, gender])
  const chosenElsewhere = value !== '' && !voices.some(({ id }) => id === value)
  return (
    <div>
      <div class="filters">
        <Select
          label="Language of the voices"
          value={language}
          options={[['', 'Any'], ...seen.languages]}
          onChange={setLanguage}
        />
        <Select
          label="Gender"
          value={gender}
          options={[['', 'Any'], ...seen.genders.map((one) => [one, one] as const)]}
          onChange={setGender}
        />
      </div>
      <audio ref={audio} onEnded={stop} aria-label="Sample of a voice" />
      {first.isLoading && <Skeleton rows={4} what="voices" />}
      {first.error && <Failure error={first.error} retry={first.reload} />}
      {first.data && (
        <ul
          class="play-voices"
          aria-label="Voices"
          {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
        >
          <li>
            <label>
              <input type="radio" name="voice" checked={value === ''} onChange={() => onChange('')} />
              <span>The backend’s own voice</span>
            </label>
          </li>
          {chosenElsewhere && (
            <li>
              <label>
                <input type="radio" name="voice" checked onChange={() => undefined} />
                <span>
                  <code>{value}</code>
                  <small class="muted">not in this list</small>
                </span>
              </label>
            </li>
          )}
          {voices.map((voice) => (
            <li key={voice.id}>
              <label>
                <input type="radio" name="voice" checked={value === voice.id} onChange={() => onChange(voice.id)} />
                <span>
                  {voice.name ?? voice.id}
                  <small class="muted">{facts(voice)}</small>
                </span>
              </label>
              {voice.preview_url === null ? (
                <small class="muted">no sample</small>
              ) : (
                <Button
                  kind="quiet"
                  aria-pressed={playing === voice.id}
                  aria-label={`${playing === voice.id ? 'Stop' : 'Listen to'} ${voice.name ?? voice.id}`}
                  onClick={() => listen(voice.id)}
                >
                  {playing === voice.id ? 'Stop' : 'Listen'}
                </Button>
              )}
              {broken === voice.id && (
                <small class="play-broken" role="alert">
                  The sample cannot be played now.
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
      {load.error && <Failure error={load.error} />}
      <More hasMore={hasMore} isLoading={load.isRunning} load={() => void load.run()} />
    </div>
  )
}
