import { useEffect, useState } from 'preact/hooks'

type Tell = (text: string) => void
const hearers = new Set<Tell>()
const SHOWN_MS = 5_000

/** Says shortly that something was done. */
export const toast: Tell = (text) => {
  for (const hear of hearers) hear(text)
}

export const Toasts = () => {
  const [texts, setTexts] = useState<{ id: number; text: string }[]>([])
  useEffect(() => {
    let next = 0
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const hear: Tell = (text) => {
      const id = (next += 1)
      setTexts((before) => [...before, { id, text }])
      timers.add(setTimeout(() => setTexts((before) => before.filter((one) => one.id !== id)), SHOWN_MS))
    }
    hearers.add(hear)
    return () => {
      hearers.delete(hear)
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {texts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
