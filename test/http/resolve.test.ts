import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createResolve } from '../../src/http/guard.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { startNameServer, type Zone } from '../fakes/name-server.ts'

const hosts = async (text: string): Promise<string> => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'hosts')
  writeFileSync(path, text)
  return path
}

const stage = async (zone: Zone, hostsText = '') => {
  const server = await startNameServer(zone)
  return { server, resolve: createResolve({ servers: [server.at], hostsFile: await hosts(hostsText) }) }
}

describe('the names that strangers give', () => {
  test('have all their addresses, of both families', async () => {
    const { resolve } = await stage(() => ({ A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8:0:0:0:0:0:1'] }))
    expect(await resolve('hooks.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
  })

  test('may have addresses of one family only', async () => {
    const { resolve } = await stage((name) =>
      name === 'six.example' ? { AAAA: ['2001:db8:0:0:0:0:0:1'] } : { A: ['192.0.2.1'] },
    )
    expect(await resolve('six.example')).toEqual([{ address: '2001:db8::1', family: 6 }])
    expect(await resolve('four.example')).toEqual([{ address: '192.0.2.1', family: 4 }])
  })

  test('that nobody has are refused, with the reason and no word of who was asked', async () => {
    const { server, resolve } = await stage(() => null)
    const refused = await resolve('nobody.example').then(String, (error: Error) => error.message)
    expect(refused).toBe('the host does not resolve (ENOTFOUND)')
    expect(new Set(server.asked)).toEqual(new Set(['nobody.example']))
  })

  test('come from the hosts file first, as getaddrinfo has it, and then nobody is asked', async () => {
    const text =
      '# ours\n127.0.0.9\tHooks.Internal alias # main\n::1 hooks.internal\nbad hooks.internal\n127.0.0.8 hooks.internal.example\n'
    const { server, resolve } = await stage(() => ({ A: ['192.0.2.1'] }), text)
    expect(await resolve('hooks.internal')).toEqual([
      { address: '127.0.0.9', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(await resolve('alias')).toEqual([{ address: '127.0.0.9', family: 4 }])
    expect(server.asked).toEqual([])
    // In a comment, and a part of another name: neither names it.
    expect(await resolve('main')).toEqual([{ address: '192.0.2.1', family: 4 }])
    expect(await resolve('internal')).toEqual([{ address: '192.0.2.1', family: 4 }])
  })

  test('localhost is this machine, whatever DNS says (RFC 6761)', async () => {
    const { server, resolve } = await stage(() => ({ A: ['192.0.2.1'] }))
    expect((await resolve('localhost')).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
    expect(server.asked).toEqual([])
  })

  test('whose servers never answer end by themselves, and hold up no other', async () => {
    const { resolve } = await stage((name) => (name.endsWith('.slow.example') ? 'silence' : { A: ['192.0.2.1'] }))
    let pending = 40
    const slow = Array.from({ length: pending }, (_, n) =>
      resolve(`n${n}.slow.example`)
        .then(String, (error: Error) => error.message)
        .finally(() => (pending -= 1)),
    )
    expect(await resolve('hooks.example')).toHaveLength(1)
    expect(pending).toBe(40)
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['the host does not resolve (ETIMEOUT)']))
  })

  test('whose servers never answer, three of them, are not asked for again and again', async () => {
    const servers = [await startNameServer(() => 'silence'), await startNameServer(() => 'silence')]
    servers.push(await startNameServer(() => 'silence'))
    const resolve = createResolve({ servers: servers.map(({ at }) => at), hostsFile: '/nowhere' })
    await expect(resolve('hooks.example')).rejects.toThrow('the host does not resolve (ETIMEOUT)')
    // For its two families, once.
    expect(servers.slice(1).map(({ asked }) => asked.length)).toEqual([2, 2])
  })
})
