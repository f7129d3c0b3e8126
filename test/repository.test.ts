import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { stages } from './fakes/dockerfile.ts'

/** What strangers and their tools read at the top of the repository. */
const textOf = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
})

describe('the workflow', () => {
  const text = textOf('.github/workflows/ci.yml')
  const { permissions, jobs } = Workflow.parse(parse(text))

  test('calls the gate, and nothing that the gate does not', () => {
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatch(/(^| )\.ci\/run$/)
    expect(permissions).toEqual({ contents: 'read' })
  })

  test('names no host, no secret and no address', () => expect(text).not.toMatch(/https?:|secrets\.|@[\w-]+\./))
})

test('the images have labels, and the bake file builds each for two processors', () => {
  const bake = textOf('docker-bake.hcl')
  expect(bake).toMatch(/platforms = \["linux\/amd64", "linux\/arm64"\]/)
  const labelled = stages().filter(({ instructions }) => instructions.some(({ name }) => name === 'LABEL'))
  expect(labelled.map(({ name }) => name)).toEqual(['sandbox', 'gateway'])
  for (const { name, instructions } of labelled) {
    expect(bake).toContain(`target   = "${name}"`)
    for (const wanted of ['VERSION', 'REVISION']) {
      expect(bake).toMatch(new RegExp(`^    ${wanted} += ${wanted}$`, 'm'))
      expect(instructions.some((one) => one.name === 'ARG' && one.value.startsWith(`${wanted}=`))).toBe(true)
    }
  }
})

test.each(['SECURITY.md', 'CODE_OF_CONDUCT.md'])(
  '%s leads to pages that are there, and says what is still missing',
  (page) => {
    const text = textOf(page)
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g))
      expect(existsSync(join(import.meta.dirname, '..', link)), link).toBe(true)
    expect(text).toMatch(/no address for \w+ yet/)
  },
)

test.each(['renovate.json', '.vscode/extensions.json', '.vscode/settings.json', '.devcontainer/devcontainer.json'])(
  '%s is JSON',
  (file) => expect(JSON.parse(textOf(file))).toBeTypeOf('object'),
)
