import { storeContract } from '../contract/store.ts'
import { openSqlite } from './sqlite-file.ts'

storeContract('sqlite', () => openSqlite())
