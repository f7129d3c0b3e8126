import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox, SandboxOptions } from '@talkbridge/sandbox'

type Ports = Required<Pick<SandboxOptions, 'primaryPort' | 'alternatePort'>>

const USUAL: Ports = { primaryPort: 4010, alternatePort: 4020 }
const ANY: Ports = { primaryPort: 0, alternatePort: 0 }

const fileIn = (dataDir: string): string => join(dataDir, 'ports.json')

const isPort = (value: unknown): value is number => Number.isInteger(value)

/** Those of the last time; null where there was none, or the file cannot be read. */
const lastPorts = (dataDir: string): Ports | null => {
  try {
    const kept: unknown = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    if (!Array.isArray(kept) || !kept.every(isPort)) return null
    const [primaryPort, alternatePort] = kept
    return primaryPort === undefined || alternatePort === undefined ? null : { primaryPort, alternatePort }
  } catch {
    return null
  }
}

/**
 * A job belongs to the address of its backend, so a sandbox that keeps jobs comes back where it was; else on its usual
 * ports, or, where another one runs, on any that are free.
 */
export const startWhereItWas = async (dataDir: string, start: (ports: Ports) => Promise<Sandbox>): Promise<Sandbox> => {
  for (const ports of [lastPorts(dataDir), USUAL]) {
    if (ports === null) continue
    try {
      return await start(ports)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
  return start(ANY)
}

/** Call once the store is ours: somebody else's sandbox must not be looked for here. */
export const keepPorts = (dataDir: string, { primaryUrl, alternateUrl }: Sandbox): void =>
  writeFileSync(fileIn(dataDir), JSON.stringify([primaryUrl, alternateUrl].map((url) => Number(new URL(url).port))))
