import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/core/errors.ts'
import { type AliasConfig, createAliases, route, type RouteRequest } from '../../../../src/engine/create/route.ts'
import type { Backend, Backends } from '../../../../src/engine/upstream/accounts.ts'
import { accountOf, backendOf, capabilities, scriptedAdapter } from '../../../fakes/adapter.ts'
import { accountId } from '../../../fakes/records.ts'

const IMAGE = 'https://img.example/anna.png'
const ALIASES = createAliases({
  voices: {
    narrator: { main: 'acme-en_1', alt: 'v_77' },
    whisper: { alt: 'v_soft' },
    // The backends call different voices the same.
    maya: { main: 'v_1', alt: 'v_2' },
    jan: { main: 'v_2', alt: 'v_1' },
    // On each of them something else has been called so.
    first: { third: 'v_x', main: 'm_1' },
    second: { fourth: 'v_x', main: 'm_2' },
  },
  puppets: {
    anna: { main: { image_url: IMAGE }, alt: 'p_12' },
    bert: { main: 'pup_bert', alt: 'p_13' },
    carl: { third: 'p_carl' },
  },
} satisfies AliasConfig)

const images = capabilities('text_source', 'image_url')
const portraits = capabilities('text_source', 'puppet_id')
const backend = (name: string, able = images, account = name): Backend => {
  const adapter = scriptedAdapter(() => 0, able === images ? 'primary' : 'alternate', able)
  return backendOf(name, accountOf(adapter, { id: accountId(account), backends: [name] }))
}
const visible = (...all: Backend[]): Backends => new Map(all.map((one) => [one.name, one]))
const BOTH = visible(backend('main'), backend('alt', portraits))

const request = (given: Partial<RouteRequest>): RouteRequest => ({
  backend: null,
  voiceId: null,
  puppetId: null,
  imageUrl: null,
  audio: null,
  ...given,
})

/** `who makes it (why): voice, portrait`, or the refusal and its field. */
const outcome = (given: Partial<RouteRequest>, backends = BOTH, preset = 'main'): string => {
  try {
    const { backend: chosen, voiceId, puppetId, imageUrl, note } = route(request(given), backends, preset, ALIASES)
    const names = [voiceId, puppetId, imageUrl].filter((name) => name !== null)
    return `${chosen.name} (${note.chosen_by}): ${names.join(', ')}`
  } catch (error) {
    if (error instanceof Problem) return `${error.code} ${error.extras.param}`
    throw error
  }
}

describe('voices', () => {
  test.each<[string, Partial<RouteRequest>, string]>([
    ['an alias on the default', { voiceId: 'narrator' }, 'main (default): acme-en_1'],
    ['an alias on the other', { voiceId: 'narrator', backend: 'alt' }, 'alt (request): v_77'],
    ['an alias with nothing for the default goes elsewhere', { voiceId: 'whisper' }, 'alt (id): v_soft'],
    ['but not where the request says otherwise', { voiceId: 'whisper', backend: 'main' }, 'invalid_request voice_id'],
    ['a native id where it is from', { voiceId: 'acme-en_1' }, 'main (default): acme-en_1'],
    ['a native id of the other, there and back', { voiceId: 'v_77' }, 'main (default): acme-en_1'],
    ['and', { voiceId: 'acme-en_1', backend: 'alt' }, 'alt (request): v_77'],
    ['a qualified id routes', { voiceId: 'alt:v_77' }, 'alt (id): v_77'],
    ['a qualified id of the other, linked', { voiceId: 'alt:v_77', backend: 'main' }, 'main (request): acme-en_1'],
    ['and back', { voiceId: 'main:acme-en_1', backend: 'alt' }, 'alt (request): v_77'],
    ['linked to nothing there', { voiceId: 'alt:v_soft', backend: 'main' }, 'invalid_request voice_id'],
    ['not linked', { voiceId: 'alt:unknown', backend: 'main' }, 'invalid_request voice_id'],
    ['a native id that both have means the one of the backend', { voiceId: 'v_1' }, 'main (default): v_1'],
    ['and', { voiceId: 'v_1', backend: 'alt' }, 'alt (request): v_1'],
    ['qualified, the other’s voice of that name', { voiceId: 'alt:v_1', backend: 'main' }, 'main (request): v_2'],
    ['an id that may be either of two is left as it is', { voiceId: 'v_x' }, 'main (default): v_x'],
    ['an id that nobody linked', { voiceId: 'v_9', backend: 'alt' }, 'alt (request): v_9'],
    ['a name that every object has', { voiceId: 'constructor' }, 'main (default): constructor'],
    ['and', { voiceId: '__proto__', backend: 'alt' }, 'alt (request): __proto__'],
    ['another spelling is another name', { voiceId: 'Narrator' }, 'main (default): Narrator'],
  ])('%s', (_, given, expected) => expect(outcome(given)).toBe(expected))
})

describe('portraits', () => {
  test.each<[string, Partial<RouteRequest>, string]>([
    ['an image as it is, where images are taken', { imageUrl: IMAGE }, `main (default): ${IMAGE}`],
    ['as the saved portrait, where not', { imageUrl: IMAGE, backend: 'alt' }, 'alt (request): p_12'],
    [
      'however its host is spelled',
      { imageUrl: 'HTTPS://IMG.example/anna.png', backend: 'alt' },
      'alt (request): p_12',
    ],
    ['another image is no saved portrait', { imageUrl: `${IMAGE}?v=2`, backend: 'alt' }, `alt (request): ${IMAGE}?v=2`],
    ['an alias as an image', { puppetId: 'anna' }, `main (default): ${IMAGE}`],
    ['as a saved portrait', { puppetId: 'anna', backend: 'alt' }, 'alt (request): p_12'],
    ['the other’s portrait as an image', { puppetId: 'p_12' }, `main (default): ${IMAGE}`],
    ['qualified', { puppetId: 'alt:p_12', backend: 'main' }, `main (request): ${IMAGE}`],
    ['as the portrait saved there', { puppetId: 'alt:p_13', backend: 'main' }, 'main (request): pup_bert'],
    ['and back', { puppetId: 'main:pup_bert', backend: 'alt' }, 'alt (request): p_13'],
    ['an alias that only a backend unseen has', { puppetId: 'carl' }, 'invalid_request puppet_id'],
    ['an alias beside a voice of another backend', { puppetId: 'anna', voiceId: 'alt:v_77' }, 'alt (id): v_77, p_12'],
    ['two aliases: where both are', { puppetId: 'anna', voiceId: 'whisper' }, 'alt (id): v_soft, p_12'],
    ['two of which no backend has both', { puppetId: 'carl', voiceId: 'whisper' }, 'invalid_request voice_id'],
  ])('%s', (_, given, expected) => expect(outcome(given)).toBe(expected))

  test('the image that a client knew before it moved, though it sees that backend no more', () => {
    const moved = visible(backend('alt', portraits))
    expect(outcome({ imageUrl: IMAGE }, moved)).toBe('alt (default): p_12')
    expect(outcome({ voiceId: 'acme-en_1', imageUrl: IMAGE }, moved)).toBe('alt (default): v_77, p_12')
  })
})

test('two names of one account are one place', () => {
  const account = (name: string) => ({
    ...backend(name, images, 'shared'),
    account: accountOf(
      scriptedAdapter(() => 0),
      { id: accountId('shared'), backends: ['main', 'second'] },
    ),
  })
  const backends = visible(account('main'), account('second'))
  expect(outcome({ voiceId: 'narrator', backend: 'second' }, backends)).toBe('second (request): acme-en_1')
  expect(outcome({ voiceId: 'main:v', backend: 'second' }, backends)).toBe('second (request): v')
})
