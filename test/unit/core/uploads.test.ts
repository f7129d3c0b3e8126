import { describe, expect, test } from 'vitest'
import { unsignedUrl } from '../../../src/core/media.ts'

const FILE = 'https://storage.example/media/audio/aud_1~a.wav'

describe('one hosted file, whoever writes its URL in whichever way', () => {
  test.each([
    FILE,
    `${FILE}?expires=1&signature=a`,
    `${FILE}#t=1`,
    'HTTPS://Storage.Example:443/media/audio/aud_1~a.wav',
    'https://storage.example./media/audio/aud_1~a.wav',
    'https://u:p@storage.example/media/audio/aud_1~a.wav',
    'https://storage.example/media/x/../audio/aud_1~a.wav',
    'https://storage.example/media/%61udio/%61ud%5F1%7ea.wav',
  ])('%s', (url) => expect(unsignedUrl(url)).toBe(FILE))
})

describe('another', () => {
  test.each([
    'http://storage.example/media/audio/aud_1~a.wav',
    'https://storage.example:8443/media/audio/aud_1~a.wav',
    'https://storage.example/media/audio/AUD_1~a.wav',
    'https://storage.example/media%2Faudio/aud_1~a.wav',
    'https://storage.example/media/audio/aud_1~a.wav%00',
  ])('%s', (url) => expect(unsignedUrl(url)).not.toBe(FILE))
})
