import { afterAll } from 'vitest'
import { storeContract } from '../contract/store.ts'
import { postgresSchema } from './postgres-schema.ts'

const at = postgresSchema('postgres://postgres@127.0.0.1:5432/test')
afterAll(at.remove)
storeContract('postgres', () => at.open())
