import type { ComponentChildren } from 'preact'
import { useState, useEffect, useRef } from 'preact/hooks'
import { api, type Schema } from '../../api.ts'
import { usePages } from '../../reads.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { More } from '../../ui/table.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'

type Puppet = Schema<'Puppet'>
type Voice = Schema<'Voice'>

interface ChooserProps {
  backend: string
  value: string
  onChange: (id: string) => void
}

interface Option {
  id: string
  name: string
  facts: string
  before?: ComponentChildren
  after?: ComponentChildren
}

interface OptionsProps extends Omit<ChooserProps, 'backend'> {
  /** Of the radio buttons; `play-NAME` is what is said about them. */
  name: 'puppet' | 'voice'
  options: readonly Option[]
  pages: Omit<ReturnType<typeof usePages<Option>>, 'rows' | 'change'>
}

/** Some to look at or to listen to, of which one is chosen. */
const Options = ({ name, options, pages, value, onChange }: OptionsProps) => {
  const label = name === 'puppet' ? 'Puppets' : 'Voices'
  const isElsewhere = value !== '' && !options.some(({ id }) => id === value)
  const all: readonly Option[] = isElsewhere
    ? [{ id: value, name: value, facts: 'not in this list' }, ...options]
    : options
  return (
    <>
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {pages.isLoading ? (
        <Skeleton rows={4} what={label.toLowerCase()} />
      ) : (
        <ul class={`plain play-list play-${name}s`} aria-label={label} aria-describedby={`play-${name}`}>
          {all.map(({ id, name: text, facts, before, after }) => (
            <li key={id}>
              <label>
                <input type="radio" name={name} checked={value === id} onChange={() => onChange(id)} />
                {before}
                <span>
                  {text}
                  <small class="under muted">{facts}</small>
                </span>
              </label>
              {after}
            </li>
          ))}
        </ul>
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
    </>
  )
}

const Picture = ({ of }: { of: Puppet }) => {
  const [isBroken, setBroken] = useState(false)
  if (isBroken || (of.thumbnail_url ?? of.image_url) === null) return <span class="play-picture">no picture</span>
  return (
    <img
      class="play-picture"
      src={`/console/media/puppets/${encodeURIComponent(of.id)}`}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
    />
  )
}

/** Saved portraits to look at and to choose from. */
export const Puppets = ({ backend, ...chosen }: ChooserProps) => {
  const { rows, ...pages } = usePages(`puppets ${backend}`, (cursor) => {
    const query = { limit: 48, ...(backend !== '' && { backend }), ...(cursor !== undefined && { cursor }) }
    return api.GET('/unified/v1/puppets', { params: { query } })
  })
  const options = rows.map((one) => ({
    id: one.id,
    name: one.name ?? one.id,
    facts: `${one.backend} · ${one.type}`,
    before: <Picture of={one} />,
  }))
  return (
    <>
      {rows.length === 0 && !pages.isLoading && !pages.error && (
        <p class="muted">There are no puppets here. Give an image URL instead, or choose another backend.</p>
      )}
      <Options name="puppet" options={options} pages={pages} {...chosen} />
    </>
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

const Sample = ({ of, sample }: { of: Voice; sample: Omit<ReturnType<typeof useSample>, 'audio'> }) => {
  if (of.preview_url === null) return <small class="muted">no sample</small>
  const isPlaying = sample.playing === of.id
  return (
    <>
      <Button
        kind="quiet"
        aria-pressed={isPlaying}
        aria-label={`${isPlaying ? 'Stop' : 'Listen to'} ${of.name ?? of.id}`}
        onClick={() => sample.listen(of.id)}
      >
        {isPlaying ? 'Stop' : 'Listen'}
      </Button>
      {sample.broken === of.id && (
        <small class="wrong" role="alert">
          The sample cannot be played now.
        </small>
      )}
    </>
  )
}

const facts = ({ language, language_code: code, gender, backend, provider }: Voice): string =>
  [...new Set([language ?? code, gender, provider, backend])].filter(Boolean).join(' · ')

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

/** Voices to listen to and to choose from. */
export const Voices = ({ backend, ...chosen }: ChooserProps) => {
  const [language, setLanguage] = useState('')
  const [gender, setGender] = useState('')
  const given = { ...(backend && { backend }), ...(language && { language }), ...(gender && { gender }) }
  const key = `voices ${JSON.stringify(given)}`
  const { rows, ...pages } = usePages(key, (cursor) =>
    api.GET('/unified/v1/voices', { params: { query: { ...given, limit: 100, ...(cursor && { cursor }) } } }),
  )
  const seen = useSeen(rows)
  const { audio, ...sample } = useSample()
  useEffect(() => sample.stop, [key])
  const options = rows.map((one) => ({
    id: one.id,
    name: one.name ?? one.id,
    facts: facts(one),
    after: <Sample of={one} sample={sample} />,
  }))
  return (
    <>
      <div class="filters">
        <Select
          label="Language of the voices"
          value={language}
          options={[['', 'Any'], ...seen.languages]}
          onChange={setLanguage}
        />
        <Select label="Gender" value={gender} options={[['', 'Any'], ...seen.genders]} onChange={setGender} />
      </div>
      <audio ref={audio} onEnded={sample.stop} aria-label="Sample of a voice" />
      <Options
        name="voice"
        options={[{ id: '', name: 'The backend’s own voice', facts: '' }, ...options]}
        pages={pages}
        {...chosen}
      />
    </>
  )
}
