import { expect, test } from 'vitest'
import { audioTypeOf, isOtherType } from '../../src/http/carriers.ts'

const WAV = Buffer.from('RIFF\x24\x00\x00\x00WAVE', 'latin1')
const M4A = Buffer.from('\x00\x00\x00\x20ftypM4A ', 'latin1')
const TAGGED_MP3 = Buffer.from('ID3\x04\x00\x00\x00\x00', 'latin1')
const BARE_MP3 = Buffer.from([0xff, 0xfb, 0x90, 0x64])
const AAC = Buffer.from([0xff, 0xf1, 0x50, 0x80])
const HTML = Buffer.from('<!doctype html>')

test.each<[string, string | undefined, Buffer, string | null]>([
  ['as it says', 'audio/mpeg', HTML, 'audio/mpeg'],
  ['parameters and case aside', 'Audio/X-WAV; codec=1', HTML, 'audio/x-wav'],
  ['a WAV under another of its names', 'audio/wave', WAV, 'audio/wav'],
  ['a WAV under the registered one', 'audio/vnd.wave; codec=1', WAV, 'audio/wav'],
  ['an MP3 under another of its names', 'audio/x-mpeg', TAGGED_MP3, 'audio/mpeg'],
  ['another audio', 'audio/ogg', WAV, null],
  ['a page', 'text/html; charset=utf-8', WAV, null],
  ['a page that begins like audio', 'application/json', TAGGED_MP3, null],
  ['nothing said of a WAV', undefined, WAV, 'audio/wav'],
  ['nothing said of an M4A', '', M4A, 'audio/mp4'],
  ['bytes, it says, of a tagged MP3', 'application/octet-stream', TAGGED_MP3, 'audio/mpeg'],
  ['bytes, storage says, of a bare MP3', 'binary/octet-stream', BARE_MP3, 'audio/mpeg'],
  ['bytes of a stream that only looks like an MP3', 'application/octet-stream', AAC, null],
  ['nothing said of a page', undefined, HTML, null],
  ['nothing said of nothing', undefined, Buffer.alloc(0), null],
])('%s', (_name, said, head, type) => {
  expect(audioTypeOf(said, head)).toBe(type)
})

test.each([
  ['text/html', true],
  ['audio/ogg', true],
  ['audio/wav; a=b', false],
  ['audio/wave', false],
  ['application/octet-stream', false],
  [undefined, false],
])('the header %s alone rules it out: %s', (said, out) => {
  expect(isOtherType(said)).toBe(out)
})
