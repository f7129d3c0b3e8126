import { useEffect, useState } from 'preact/hooks'
import { errorFrom, setLeaving } from '../api.ts'
import { createSignal } from '../signal.ts'
import { Button } from './button.tsx'
import { toast } from './states.tsx'

export interface Deed {
  /** What is done to what: it waits once. */
  key: string
  /** What will happen, as a title: "Cancel vid_…XMQR8W". */
  text: string
  act: () => Promise<unknown>
}

const WAIT_MS = 5_000
const waiting = new Map<string, { deed: Deed; timer: ReturnType<typeof setTimeout> }>()
const { tell, hear } = createSignal()

const take = (key: string): Deed | null => {
  const found = waiting.get(key)
  if (!found) return null
  clearTimeout(found.timer)
  waiting.delete(key)
  tell()
  return found.deed
}

const send = async (key: string): Promise<void> => {
  const deed = take(key)
  try {
    await deed?.act()
  } catch (thrown) {
    // Such as a cancel of what ended meanwhile.
    toast(`Not done: ${deed?.text ?? ''}. ${errorFrom(thrown).message}`)
  }
}

/** Does it five seconds from now, unless somebody takes it back. Until then nothing has happened, and nothing is drawn as if it had. */
export const doSoon = (deed: Deed): void => {
  if (waiting.has(deed.key)) return
  waiting.set(deed.key, { deed, timer: setTimeout(() => void send(deed.key), WAIT_MS) })
  tell()
}

/** Does immediately what waits. To leave the page is to decide. */
export const doNow = (): Promise<unknown> => Promise.all([...waiting.keys()].map(send))

/** Nobody else's session does it. */
export const dropDeeds = (): void => [...waiting.keys()].forEach(take)

window.addEventListener('pageshow', () => setLeaving(false))
window.addEventListener('pagehide', () => {
  setLeaving(true)
  void doNow()
})

const useDeeds = (): readonly Deed[] => {
  const [deeds, setDeeds] = useState<readonly Deed[]>([])
  useEffect(() => {
    const show = (): void => setDeeds([...waiting.values()].map(({ deed }) => deed))
    show()
    return hear(show)
  }, [])
  return deeds
}

/** Whether this waits to be done: its button says so. */
export const useIsWaiting = (key: string): boolean => useDeeds().some((deed) => deed.key === key)

/** What waits to be done, each with the way back. */
export const Undos = () => (
  <div class="undos" role="status">
    {useDeeds().map(({ key, text }) => (
      <p key={key}>
        {text}{' '}
        <Button data-key="u" onClick={() => take(key)}>
          Undo
        </Button>
      </p>
    ))}
  </div>
)
