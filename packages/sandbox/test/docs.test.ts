import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { sandboxCommand } from '../src/command.ts'
import { Fault } from '../src/faults.ts'
import { SCENARIOS, VARIANTS } from '../src/index.ts'
import { contextOf } from '../../../test/cli/here.ts'
import { start } from './harness.ts'

const PAGE = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')

/** The cells of the table under a heading, without its own heading and rule. */
const tableUnder = (heading: string): string[][] => {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

const bare = (cell = ''): string => cell.replaceAll('`', '')

describe('docs/sandbox.md', () => {
  it('lists the magic inputs as they are', () => {
    const table = tableUnder('Magic inputs').map(([input, effect]) => [bare(input), effect])
    expect(table).toEqual(Object.entries(SCENARIOS).map(([name, effect]) => [`[[${name}]]`, effect]))
  })

  it('lists the variants as they are', () => {
    const table = tableUnder('Variants').map(([name, effect]) => [bare(name), effect])
    expect(table).toEqual(Object.entries(VARIANTS).map(([name, { effect }]) => [name, effect]))
  })

  it('lists the faults and their fields', () => {
    const table = tableUnder('Faults').map(([kind, fields]) => [bare(kind), bare(fields).split(', ').filter(Boolean)])
    const common = ['interface', 'operation', 'times', 'kind']
    const known = Fault.options.map(({ shape }) => [
      shape.kind.value,
      Object.keys(shape).filter((name) => !common.includes(name)),
    ])
    expect(table).toEqual(known)
  })

  it('lists the flags of the command', () => {
    const { options } = sandboxCommand(new Command(), contextOf({ stdout: '', stderr: '' }))
    const flags = options.map(({ long }) => long ?? '')
    expect(
      tableUnder('Flags')
        .map(([flag]) => bare(flag))
        .toSorted(),
    ).toEqual(flags.toSorted())
  })

  it('lists what the ledger has', async () => {
    const { sandbox } = await start()
    expect(
      tableUnder('The ledger')
        .map(([field]) => bare(field))
        .toSorted(),
    ).toEqual(Object.keys(sandbox.ledger()).toSorted())
  })

  it('lists control routes that are there', async () => {
    const { primary, alternate } = await start()
    for (const [route = ''] of tableUnder('Control routes')) {
      const [method = '', path = ''] = bare(route).split(' ')
      const key = path.includes('{id}') ? 'key_primary' : ''
      for (const ask of [primary, alternate]) {
        const { status } = await ask(path.replace('{id}', key), { method, key: null })
        // A POST without a body is refused, not unknown.
        expect([route, status]).toEqual([route, method === 'POST' ? 400 : method === 'DELETE' ? 204 : 200])
      }
    }
  })
})
