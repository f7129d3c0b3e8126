import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { must } from './must.ts'

interface Instruction {
  readonly name: string
  readonly value: string
}

export interface Stage {
  readonly name: string
  readonly from: string
  readonly instructions: readonly Instruction[]
}

export interface Copy {
  /** The stage it is taken from; null: the folder that is built in. */
  readonly from: string | null
  readonly sources: readonly string[]
  readonly to: string
}

/** What a container of a stage is started with, its base stages' included. */
export interface Image {
  readonly copies: readonly Copy[]
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

const DOCKERFILE = new URL('../../Dockerfile', import.meta.url)
const Words = z.array(z.string())

const readStages = (text: string): Stage[] => {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
  const stages: { name: string; from: string; instructions: Instruction[] }[] = []
  for (const line of lines) {
    const [, name = '', value = ''] = must(/^([A-Z]+) (.*)$/.exec(line))
    const [, from, stage] = /^(\S+) AS (\S+)$/.exec(name === 'FROM' ? value : '') ?? []
    if (from !== undefined && stage !== undefined) stages.push({ name: stage, from, instructions: [] })
    else must(stages.at(-1)).instructions.push({ name, value })
  }
  return stages
}

export const stages = (): readonly Stage[] => readStages(readFileSync(DOCKERFILE, 'utf8'))

export const copiesOf = ({ instructions }: Pick<Stage, 'instructions'>): Copy[] =>
  instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ value }) => {
      const [, from = null, paths = ''] = must(/^(?:--from=(\S+) )?(.*)$/.exec(value))
      const words = paths.split(' ')
      return { from, sources: words.slice(0, -1), to: must(words.at(-1)) }
    })

const wordsOf = (value: string): readonly string[] => Words.parse(JSON.parse(value))

export const imageOf = (target: string): Image => {
  const all = stages()
  const chain: Stage[] = []
  for (let name = target; ;) {
    const stage = all.find((one) => one.name === name)
    if (!stage) break
    chain.unshift(stage)
    name = stage.from
  }
  const instructions = chain.flatMap((stage) => stage.instructions)
  const last = (name: string): string => must(instructions.findLast((one) => one.name === name)).value
  const env = instructions.filter(({ name }) => name === 'ENV').flatMap(({ value }) => value.trim().split(/\s+/))
  return {
    copies: copiesOf({ instructions }),
    env: Object.fromEntries(env.map((one) => [must(one.split('=', 1)[0]), one.slice(one.indexOf('=') + 1)])),
    user: last('USER'),
    command: [...wordsOf(last('ENTRYPOINT')), ...wordsOf(last('CMD'))],
    healthcheck: wordsOf(last('HEALTHCHECK').replace(/^.*?CMD /, '')),
  }
}

/** The YAML that ranks below the configuration in the image of the gateway. */
export const imageDefaults = (): string => {
  const { command } = imageOf('gateway')
  return readFileSync(new URL(must(command[command.indexOf('--defaults') + 1]), DOCKERFILE), 'utf8')
}
