import { z } from 'zod'
import { alternateFilm, primaryFilm, type Film, type Service } from './customers.ts'
import { kilobytes } from './screen.ts'
import { isMp4, LABEL_CHARS, type Stage } from './story.ts'

const Key = z.object({ key: z.string() })

/** A customer's own account at the sandbox: the one behind the gateway is the gateway's alone. */
const accountAt = async (url: string, name: string, signal: AbortSignal): Promise<Service> => {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ interface: name }), signal }
  return { url, key: Key.parse(await (await fetch(`${url}/sandbox/keys`, init)).json()).key }
}

/** Each customer's film, from the service itself and from the gateway. */
const makeFilms = async (stage: Stage): Promise<[label: string, url: string, film: Promise<Film>][]> => {
  const { sandbox, gateway, receiver, signal } = stage
  const primary = await accountAt(sandbox.primaryUrl, 'primary', signal)
  const alternate = await accountAt(sandbox.alternateUrl, 'alternate', signal)
  return [
    ['primary interface', `${primary.url}/api/v1`, primaryFilm(primary, stage)],
    ['  at the gateway', `${gateway.url}/api/v1`, primaryFilm(gateway, stage, { webhook_url: receiver.url })],
    ['alternate interface', `${alternate.url}/v1`, alternateFilm(alternate, stage)],
    ['  at the gateway', `${gateway.url}/v1`, alternateFilm(gateway, stage)],
  ]
}

/** Clients of the services themselves, run where they were and then at the gateway: the same code, the same result. */
export const showDropIn = async (stage: Stage): Promise<void> => {
  const { screen, receiver, moved } = stage
  const { green, dim } = screen.paint
  screen.heading('Drop-in', 'clients of the two services: another URL and another key, the same code')
  const announced = receiver.deliveries.length + 1
  const films = await makeFilms(stage)
  await Promise.all(films.map(([, , film]) => film.then(moved)))
  for (const [label, url, making] of films) {
    const { id, status, file } = await making
    if (status !== 'completed') throw new Error(`the film of ${url} ended as ${status}`)
    if (!isMp4(file)) throw new Error(`what ${url} gave as the film ${id} is no MP4`)
    screen.line(
      `${label.padEnd(LABEL_CHARS)} ${green('✓')} ${status}, ${kilobytes(file.length)} MP4  ${id}  ${dim(url)}`,
    )
  }
  await showWebhook(stage, announced)
}

/** The gateway announces a film of the interface that announces none. */
const showWebhook = async ({ receiver, screen, signal }: Stage, announced: number): Promise<void> => {
  const delivery = (await receiver.received(announced, signal))[announced - 1]
  if (delivery?.type !== 'video.completed') throw new Error(`the film was announced as ${delivery?.type ?? 'nothing'}`)
  if (delivery.refused !== null) throw new Error(`the webhook ${delivery.eventId} did not verify: ${delivery.refused}`)
  const { green, dim } = screen.paint
  screen.line(`${'webhook (primary)'.padEnd(LABEL_CHARS)} ${green('✓')} ${delivery.type}  ${dim(delivery.eventId)}`)
}
