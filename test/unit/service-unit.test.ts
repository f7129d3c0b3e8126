import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { must } from '../fakes/must.ts'

const FILE = new URL('../../config/talkbridge.service', import.meta.url)
const lines = readFileSync(FILE, 'utf8').split('\n')
const valuesOf = (key: string): string[] =>
  lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))

test('the variables of the unit are settings, and its store is in its own folder', () => {
  const env = Object.fromEntries(valuesOf('Environment').map((value) => value.split('=', 2)))
  const text = JSON.stringify({
    backends: { main: { interface: 'primary', base_url: 'https://primary.example', api_key: 'secret' } },
    clients: [{ id: 'acme', key: 'k'.repeat(20) }],
  })
  const parsed = parseConfig({ text, env, readFile: () => '' })
  expect(parsed.ok ? [] : parsed.faults).toEqual([])
  const { server, store } = must(parsed.ok ? parsed.config : null)
  expect(store.path).toBe(`/var/lib/${must(valuesOf('StateDirectory')[0])}/talkbridge.db`)
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(server.shutdown_grace + 7_000)
})
