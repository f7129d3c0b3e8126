import { expect, test } from 'vitest'
import { createIntake } from '../../../../src/engine/create/create.ts'
import { accountId } from '../../../fakes/records.ts'

const AT = { account: accountId('alt'), backend: 'alt' }
const written = async (): Promise<string> => 'written'

test('none comes in on an account that is to go, until it stays after all', async () => {
  const intake = createIntake()
  await intake.keepOnly(new Set([accountId('main')]))
  const refused = { code: 'backend_unavailable', retryable: true, extras: { backend: 'alt' } }
  await expect(intake.enter(AT, written)).rejects.toMatchObject(refused)
  expect(await intake.enter({ account: accountId('main'), backend: 'main' }, written)).toBe('written')
  await intake.keepOnly(null)
  expect(await intake.enter(AT, written)).toBe('written')
})

test('one that is on its way in is waited for, however that ends', async () => {
  const intake = createIntake()
  const gate = Promise.withResolvers<string>()
  const entering = intake.enter(AT, () => gate.promise)
  let isOver = false
  const over = intake.keepOnly(new Set()).then(() => (isOver = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  gate.reject(new Error('the store is away'))
  await expect(entering).rejects.toThrow('away')
  await over
})
