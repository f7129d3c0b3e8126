import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, api, ask, pathFor, type Schema, createCommand } from '../../api.ts'
import { type Body, type Check, bodyOf, fromQuery, fromVideo, missing, toQuery } from './form.ts'
import { type Form, refusalOf, verdictOf, type Verdict } from './form.ts'
import { useAction, useFilters, useRead } from '../../reads.ts'
import { type Session, useSession } from '../../session.ts'
import { Progress, Status, Failure, Empty, Loaded, Note } from '../../ui/states.tsx'
import { LinkButton, Id, Button, Copy } from '../../ui/button.tsx'
import { Card, Header } from '../../ui/header.tsx'
import { Failed, Film } from '../video/parts.tsx'
import { useVideo, type Shown } from '../video/use-video.ts'
import { Select } from '../../ui/field.tsx'
import { Fields } from './fields.tsx'
import './playground.css'

/** After the last key. */
const DEBOUNCE_MS = 300

const NOTHING = {
  /** Of the body as it is now; the last one while a new one is under way. */
  check: null as Check | null,
  error: null as ApiError | null,
  isChecking: false,
}
type Checked = typeof NOTHING

/**
 * Asks the gateway what it would make of a body, a moment after it was last changed. It costs no backend anything. Only
 * the answer to the latest body counts, in whatever order they come. `null`: there is nothing to ask yet.
 */
const useCheck = (body: Body | null): Checked => {
  const [checked, setChecked] = useState<Checked>(NOTHING)
  const latest = useRef(body)
  latest.current = body
  const key = body && JSON.stringify(body)
  useEffect(() => {
    if (key === null) {
      setChecked(NOTHING)
      return undefined
    }
    setChecked((before) => ({ ...before, isChecking: true }))
    const over = new AbortController()
    const settle = (next: Omit<Checked, 'isChecking'>): void => {
      if (!over.signal.aborted) setChecked({ ...next, isChecking: false })
    }
    const timer = setTimeout(() => {
      if (!latest.current) return
      ask(api.POST('/unified/v1/videos/check', { body: latest.current, signal: over.signal })).then(
        (check) => settle({ check, error: null }),
        (error: unknown) => settle({ check: null, error: error instanceof ApiError ? error : null }),
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [key])
  return checked
}

/** Also where the page is not served over https, which `randomUUID` wants. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Said clearly: nothing was made. Of a lost answer and of 409 nobody knows. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 409

/**
 * One form makes one video: until it changes, or another one is wanted in so many words, it goes with the same
 * idempotency key. So a second click, or a try after an answer that was lost, finds the first one's video.
 */
const useCreate = (body: Body) => {
  const [made, setMade] = useState<{ video: Schema<'Video'>; of: string } | null>(null)
  const sent = useRef<{ of: string; key: string } | null>(null)
  const of = JSON.stringify(body)
  const action = useAction(async (asked: Body) => {
    const text = JSON.stringify(asked)
    if (sent.current?.of !== text) sent.current = { of: text, key: newKey() }
    const params = { header: { 'Idempotency-Key': sent.current.key } }
    try {
      const video = await ask(api.POST('/unified/v1/videos', { params, body: asked }))
      setMade({ video, of: text })
    } catch (error) {
      if (isRefused(error)) sent.current = null
      throw error
    }
  })
  /** Lets the same form make another one. */
  const again = (): void => {
    sent.current = null
    setMade((before) => before && { ...before, of: '' })
  }
  return { action, made: made?.video ?? null, isMade: made?.of === of, again }
}

const percent = (value: number): string => `${Math.round(value * 100)} %`

const stateOf = ({ status, progress, queue }: Shown): string => {
  if (queue) return `place ${queue.position} in the queue: ${queue.reason.replaceAll('_', ' ')}`
  if (status !== 'processing') return ''
  return progress === null ? 'The backend reports no progress' : percent(progress)
}

/** What became of the create: how far it is, live, and then the video. */
const Result = ({ id }: { id: string }) => {
  const { video: read } = useVideo(id, useSession())
  const title = useRef<HTMLDivElement>(null)
  // The one who pressed the button reads on here.
  useEffect(() => title.current?.focus(), [id])
  const link = <LinkButton href={`/console/videos/${encodeURIComponent(id)}`}>Open the video</LinkButton>
  return (
    <div ref={title} tabIndex={-1} role="region" aria-label="Your video" class="stack">
      <Card title="Your video" actions={link}>
        <Id of={id} label="video id" />
        <Loaded read={read} what="the video" rows={2}>
          {(video) => (
            <div class="row" role="status">
              <Status of={video.status} />
              {video.status === 'processing' && <Progress value={video.progress} label="Progress" />}
              <span>{stateOf(video)}</span>
            </div>
          )}
        </Loaded>
      </Card>
      {read.data && <Failed video={read.data} />}
      {read.data?.status === 'completed' && <Film video={read.data} />}
    </div>
  )
}

/** Also the video whose request the form begins with. */
const readStart = async ({ isAdmin }: Session, from: string | undefined) => {
  const params = { path: { id: from ?? '' } }
  const [{ data: backends, pools }, video] = await Promise.all([
    ask(api.GET('/unified/v1/backends')),
    from === undefined ? null : ask(api.GET(pathFor(isAdmin, 'videos/{id}'), { params })),
  ])
  return { backends, pools, form: video && fromVideo(video) }
}

const Verdicts = ({ checked, verdict }: { checked: Checked; verdict: Verdict | null }) => {
  if (checked.error) return <Failure error={checked.error} />
  if (!verdict) return <p class="muted">{checked.isChecking ? 'Checking…' : ''}</p>
  return (
    <Note kind={verdict.tone === 'bad' ? 'warn' : verdict.tone}>
      <strong>{verdict.title}</strong>
      <ul>
        {verdict.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Note>
  )
}

/** Wrong immediately, and not only when somebody wants the video: what is in them was typed. */
const TYPED: readonly (keyof Form)[] = ['metadata', 'expressiveness']

const Playground = ({ backends, pools, form: start }: Awaited<ReturnType<typeof readStart>>) => {
  const { filters, set } = useFilters()
  const [form, setForm] = useState<Form>(() => start ?? fromQuery(filters))
  const change = (changes: Partial<Form>): void => setForm((before) => ({ ...before, ...changes }))
  const query = toQuery(form)
  useEffect(() => {
    if (Object.entries(query).some(([name, value]) => (filters[name] ?? '') !== value)) set(query)
  }, [JSON.stringify(query)])
  const body = bodyOf(form)
  const lack = missing(form)
  const checked = useCheck(lack ? null : body)
  const create = useCreate(body)
  const [isWanted, setWanted] = useState(false)
  const verdict = checked.check && verdictOf(checked.check, form.backend)
  const told = {
    errors: {
      ...(lack && (isWanted || TYPED.includes(lack.field)) && { [lack.field]: lack.message }),
      ...(checked.error && refusalOf(checked.error)),
      ...(create.action.error && refusalOf(create.action.error)),
      ...verdict?.errors,
    },
    hints: verdict?.hints ?? {},
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    setWanted(lack !== null)
    if (!lack && !create.isMade) void create.action.run(body)
  }
  return (
    <form class="pair play" onSubmit={submit} noValidate>
      <div class="stack">
        <Card title="The video">
          <Select
            label="Backend"
            value={form.backend}
            error={told.errors.backend}
            options={[['', 'Let routing decide'], ...[...pools, ...backends].map(({ name }) => name)]}
            onChange={(backend) => change({ backend })}
          />
          <Fields form={form} backends={backends} told={told} change={change} />
        </Card>
      </div>
      <div class="stack play-side">
        <Card title="Check">
          <div role="status" aria-live="polite" class="stack">
            {lack ? <p>{lack.message}</p> : <Verdicts checked={checked} verdict={verdict} />}
          </div>
          {create.action.error && <Failure error={create.action.error} />}
          {/* Two buttons with keys: one that turned into the other under a click would send the form. */}
          {create.isMade ? (
            // The second click of a double click was meant for the button that was there before.
            <Button key="again" onClick={({ detail }) => void (detail < 2 && create.again())}>
              Make another video from this form
            </Button>
          ) : (
            <Button key="create" kind="primary" type="submit" isBusy={create.action.isRunning}>
              {create.action.error ? 'Try again' : 'Create the video'}
            </Button>
          )}
          <p class="muted small">The check costs nothing. A create costs credits of the backend.</p>
        </Card>
        <p class="small">
          Copy as curl <Copy text={createCommand(body, location.origin)} label="as curl" />
        </p>
        {create.made && <Result id={create.made.id} />}
      </div>
    </form>
  )
}

/** Try out a create: look, listen, check, and see the video. */
export function PlaygroundScreen() {
  const session = useSession()
  const from = useFilters().filters['from']
  const read = useRead(`playground ${from ?? ''}`, () => readStart(session, from))
  return (
    <>
      <Header title="Playground" />
      <Loaded read={read} what="backends" rows={8}>
        {(start) =>
          start.backends.length > 0 ? (
            <Playground key={from} {...start} />
          ) : (
            <Empty title="You may use no backend">
              <p>Ask your operator to give your client a backend.</p>
            </Empty>
          )
        }
      </Loaded>
    </>
  )
}
