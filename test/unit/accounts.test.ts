import { describe, expect, onTestFinished, test } from 'vitest'
import { createDriftReport, createPermissions } from '../../src/accounts.ts'
import type { Drift } from '../../src/adapters/index.ts'
import { accountIdOf } from '../../src/core/vocabulary.ts'
import { createDriftBoard } from '../../src/engine/replicas/board.ts'
import { fakeClock } from '../fakes/clock.ts'
import { SECOND } from '../fakes/records.ts'
import { openSqlite } from '../stores/sqlite-file.ts'

const logged = () => {
  const lines: string[] = []
  const line = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`)
  return { lines, log: { info: line, warn: line, error: line } }
}

const DRIFT: Drift = { kind: 'status', operation: 'getVideo', value: 'rendering', sample: 'rendering' }

describe('the drift report', () => {
  test('counts each kind from its first time to its last, what was first seen latest comes first, with one log line each', async () => {
    const clock = fakeClock()
    const { lines, log } = logged()
    const report = createDriftReport(log, clock, ['main'])
    const startMs = clock.now()
    report.note(DRIFT)
    clock.jump(5 * SECOND)
    report.note({ ...DRIFT, operation: 'createVideo' })
    report.note({ ...DRIFT, kind: 'error_code' })
    clock.jump(5 * SECOND)
    report.note(DRIFT)
    const at = (ms: number) => new Date(startMs + ms).toISOString()
    expect(await report.list()).toEqual([
      { ...DRIFT, kind: 'error_code', count: 1, first_seen: at(5 * SECOND), last_seen: at(5 * SECOND) },
      { ...DRIFT, operation: 'createVideo', count: 1, first_seen: at(5 * SECOND), last_seen: at(5 * SECOND) },
      // Met again later, it stays where it is: somebody may be paging.
      { ...DRIFT, count: 2, first_seen: at(0), last_seen: at(10 * SECOND) },
    ])
    expect(lines).toHaveLength(3)
  })

  test('holds a thousand kinds, says once that it is full, and goes on counting those it has', async () => {
    const { lines, log } = logged()
    const report = createDriftReport(log, fakeClock(), ['main'])
    for (let i = 0; i < 1_500; i += 1) report.note({ ...DRIFT, value: `word_${i}` })
    for (let i = 0; i < 3; i += 1) report.note({ ...DRIFT, value: 'word_0' })
    expect(await report.list()).toHaveLength(1_000)
    expect((await report.list()).find(({ value }) => value === 'word_0')?.count).toBe(4)
    expect(lines).toHaveLength(1_001)
    expect(lines.at(-1)).toContain('full')
  })
})

test('what one process met of a backend, the others tell too, each kind once', async () => {
  const current = await openSqlite()
  onTestFinished(() => current.destroy())
  const { clock } = current
  const { log } = logged()
  const processOf = async (id: string) => {
    const board = createDriftBoard({ store: await current.second(), clock, log, replica: { id, isAlone: false } })
    return { ...board, report: createDriftReport(log, clock, ['main'], board.of(accountIdOf('acc_1'))) }
  }
  const [one, two] = [await processOf('one'), await processOf('two')]
  const [startMs, at] = [clock.now(), (ms: number) => new Date(startMs + ms).toISOString()]
  one.report.note(DRIFT)
  clock.jump(SECOND)
  two.report.note(DRIFT)
  two.report.note({ ...DRIFT, value: 'other' })
  await clock.advance(SECOND)
  // A process that stops has told what it met.
  await one.close()
  await two.close()
  const three = await processOf('three')
  expect(await three.report.list()).toEqual([
    { ...DRIFT, value: 'other', count: 1, first_seen: at(SECOND), last_seen: at(SECOND) },
    { ...DRIFT, count: 2, first_seen: at(0), last_seen: at(SECOND) },
  ])
  clock.jump(2 * SECOND)
  expect(await (await processOf('four')).of(accountIdOf('acc_2'))?.others()).toEqual([])
})

describe('permissions', () => {
  test('a 403 takes what its operation is for, until the operation succeeds', () => {
    const { lines, log } = logged()
    const permissions = createPermissions(log, fakeClock(), ['main'])
    expect(permissions.denied()).toBeNull()
    for (let i = 0; i < 3; i += 1) permissions.note('createSpeech', false)
    permissions.note('getUsage', true)
    permissions.note('listVoices', false)
    expect(permissions.denied()).toEqual(['speech'])
    permissions.note('createSpeech', true)
    // Something is denied still, though it is no capability.
    expect(permissions.denied()).toEqual([])
    permissions.note('listVoices', true)
    expect(permissions.denied()).toBeNull()
    expect(lines).toHaveLength(4)
  })

  test('or ten minutes after the last one', () => {
    const clock = fakeClock()
    const permissions = createPermissions(logged().log, clock, ['main'])
    permissions.note('createVideo', false)
    clock.jump(9 * 60 * SECOND)
    permissions.note('createVideo', false)
    clock.jump(10 * 60 * SECOND - 1)
    expect(permissions.denied()).toEqual(['text_source', 'audio_source'])
    clock.jump(1)
    expect(permissions.denied()).toBeNull()
  })
})
