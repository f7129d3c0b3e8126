import { describe } from 'vitest'
import { adapterWritesContract } from '../contract/adapter-writes.ts'
import { adapterContract } from '../contract/adapter.ts'

describe('primary', () => adapterContract('primary', 'api_video_Abc-123_x'))
describe('alternate', () => adapterContract('alternate', 'vid-77'))

describe('writes of the primary', () => adapterWritesContract('primary'))
