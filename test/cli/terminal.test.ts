import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { must } from '../fakes/must.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { start, temporaryFolder, type Running } from './harness.ts'

const ROOT = join(import.meta.dirname, '../..')
const CTRL_C = '\u0003'
const COMMAND = `'${process.execPath}' '${join(ROOT, 'scripts/talkbridge.js')}'`

interface OnTerminal {
  readonly cwd: string
  readonly running: Running
  /** Ends with the command: its exit code, and what the terminal showed. Fails if the terminal is not as it was. */
  left(): Promise<{ code: number; shown: string }>
}

/** Each of the terminal's modes that was switched, as it is at the end: `25` is the cursor, `7` the wrapping of lines. */
const modesOf = (shown: string): Record<string, string> =>
  Object.fromEntries([...shown.matchAll(/\p{Cc}\[\?(\d+)([hl])/gu)].map(([, mode, state]) => [must(mode), must(state)]))

/** Runs a line of shell in the foreground of a terminal, where a Ctrl-C goes to it and not to the shell. */
const onTerminal = (line: string, cwd = temporaryFolder(), env: Record<string, string> = {}): OnTerminal => {
  const shell = `echo $$ >leader; trap : INT; stty -a >before; ${line}; echo $? >code; stty -a >after`
  const running = start(['-qec', shell, '/dev/null'], {
    cwd,
    // npm of the Node that runs the tests, and colours as a terminal has them.
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: cwd, TERM: 'xterm', ...env },
    command: 'script',
    isTyped: true,
  })
  const written = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  onTestFinished(async () => {
    try {
      process.kill(-Number(written('leader')), 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
    await running.ended
  })
  return {
    cwd,
    running,
    async left() {
      const { stdout } = await running.ended
      expect(written('after')).toBe(written('before'))
      const { 7: wraps = 'h', ...others } = modesOf(stdout)
      expect({ wraps, others }).toEqual({ wraps: 'h', others: others['25'] === undefined ? {} : { 25: 'h' } })
      return { code: Number(written('code')), shown: stdout }
    },
  }
}

const CONFIG = {
  server: { port: 0 },
  store: { path: './talkbridge.db' },
  backends: { main: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'k' } },
  clients: [{ id: 'acme', key: 'a-key-of-twenty-characters' }],
}

const configured = (): string => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(CONFIG))
  return cwd
}

/** A readable line, with colours. */
const SERVES = /\[\d\d:\d\d:\d\d\] \S*INFO\S*: \S*talkbridge serves\b.*url=(http:\S+?:\d+)/

const answers = async ([, url]: RegExpMatchArray): Promise<void> =>
  expect((await fetch(`${must(url)}/readyz`)).status).toBe(200)

describe.skipIf(await skippedWithout(['terminal']))('on a terminal', () => {
  test('`serve` logs readable lines until Ctrl-C, and ends with 0', async () => {
    const { running, left } = onTerminal(`${COMMAND} serve --config gateway.json`, configured())
    await answers(await running.printed(SERVES))
    running.type(CTRL_C)
    const { code, shown } = await left()
    expect(code).toBe(0)
    expect(shown).toMatch(/talkbridge stops .*signal=SIGINT/)
  })

  test('`npm start` runs in front of the sandbox until Ctrl-C, and ends with 0', async () => {
    // A checkout whose ./data is its own.
    const cwd = temporaryFolder()
    for (const name of ['package.json', 'scripts', 'src', 'packages', 'config', 'node_modules'])
      symlinkSync(join(ROOT, name), join(cwd, name))
    const { running, left } = onTerminal('npm start', cwd, { TALKBRIDGE_SERVER__PORT: '0' })
    await running.printed(/Try it:/)
    await answers(await running.printed(SERVES))
    running.type(CTRL_C)
    const { code, shown } = await left()
    expect(code).toBe(0)
    expect(shown).toMatch(/talkbridge stops .*signal=SIGINT/)
  })

  test('`demo` draws its bars, and ends with 0', async () => {
    const { code, shown } = await onTerminal(`${COMMAND} demo`).left()
    expect(code).toBe(0)
    expect(shown).toContain('█')
    expect(shown).toMatch(/✓\S* everything works/)
  })

  test('`demo` ends with 1 on Ctrl-C, in the middle of a drawing too', async () => {
    const { running, left } = onTerminal(`${COMMAND} demo`)
    await running.printed(/[░▒█]/)
    running.type(CTRL_C)
    const { code, shown } = await left()
    expect(code).toBe(1)
    expect(shown).toContain('talkbridge demo: interrupted at: ')
  })

  test('`config init` asks, and writes the file', async () => {
    const { running, left, cwd } = onTerminal(`${COMMAND} config init`)
    for (const [question, answer] of [
      [/interface/, ''],
      [/base URL/, 'https://api.example.com'],
      [/first client/, ''],
      [/https URL at which/, ''],
    ] as const) {
      await running.printed(question)
      running.type(`${answer}\r`)
    }
    expect((await left()).code).toBe(0)
    expect(readFileSync(join(cwd, 'gateway.yaml'), 'utf8')).toContain('base_url: "https://api.example.com"')
  })

  test('what waits for typed input ends with 1 on Ctrl-C', async () => {
    const { running, left } = onTerminal(`${COMMAND} verify --secret whsec_${Buffer.alloc(24).toString('base64')}`)
    await running.printed(/reading stdin/)
    running.type(CTRL_C)
    const { code, shown } = await left()
    expect(code).toBe(1)
    expect(shown).toContain('talkbridge: interrupted')
  })

  test('`config init` ends with 1 on Ctrl-C, and writes nothing', async () => {
    const { running, left, cwd } = onTerminal(`${COMMAND} config init own.yaml`)
    await running.printed(/interface/)
    running.type(CTRL_C)
    const { code, shown } = await left()
    expect(code).toBe(1)
    expect(shown).toContain('interrupted: nothing is written')
    expect(() => readFileSync(join(cwd, 'own.yaml'))).toThrow('ENOENT')
  })
})

test('pretty lines without a terminal have no colours', async () => {
  const env = { TALKBRIDGE_LOG__FORMAT: 'pretty' }
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd: configured(), env })
  const [line] = await gateway.printed(SERVES)
  expect(line).not.toContain('\u001b')
  gateway.kill('SIGTERM')
  expect(await gateway.ended).toMatchObject({ code: 0, stderr: '' })
})
