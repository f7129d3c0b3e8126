import { existsSync, writeFileSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, INTERFACES, parseConfig, configJsonSchema, configWarnings } from '../config.ts'
import { CONSOLE_CLIENT } from '../config/rules.ts'
import { backendUrl, baseUrl, NAME, NAME_TITLE } from '../config/fields.ts'
import { CliError, createPaint, messageOf, type CliContext, type Register } from './context.ts'
import { type Fault, located } from '../config/faults.ts'
import { configFile, faultLine, faultLines, readConfig, replacedLines, withConfigOption } from './config-file.ts'
import { connectingChecks, startChecks, examine, withTimeoutOption, asText, flat, hasFault } from './doctor/index.ts'
import { startFaults } from './doctor/configuration.ts'
import type { Finding } from './doctor/findings.ts'

/** What a first file needs to know. */
interface Answers {
  interface: string
  baseUrl: string
  client: string
  publicUrl: string
}
type Options = Partial<Answers> & { yes?: boolean; force?: boolean }

interface Question {
  readonly field: keyof Answers
  readonly text: string
  /** Null: there is none, and it must be answered. */
  readonly preset: string | null
  readonly flag: string
  /** Why an answer will not do; null: it will. */
  readonly fault: (answer: string) => string | null
}

const urlFault = (answer: string, url = baseUrl()): string | null => {
  const issue = url.safeParse(answer).error?.issues[0]
  if (!issue) return null
  return issue.code === 'custom' ? issue.message : 'expected an absolute https URL (http only for a loopback host)'
}

const QUESTIONS: readonly Question[] = [
  {
    field: 'interface',
    text: `Which interface does your backend speak (${INTERFACES.join(' or ')})?`,
    preset: INTERFACES[0] ?? null,
    flag: '--interface',
    fault: (answer) => (INTERFACES.some((name) => name === answer) ? null : `expected one of ${INTERFACES.join(', ')}`),
  },
  {
    field: 'baseUrl',
    text: 'Its base URL, such as https://api.example.com?',
    preset: null,
    flag: '--base-url',
    fault: (answer) => urlFault(answer, backendUrl()),
  },
  {
    field: 'client',
    text: 'A name for your first client?',
    preset: 'app',
    flag: '--client',
    fault: (answer) => {
      if (answer === CONSOLE_CLIENT) return 'the operator’s key belongs to the client console: choose another name'
      return NAME.test(answer) ? null : `expected ${NAME_TITLE}`
    },
  },
  {
    field: 'publicUrl',
    text: 'The https URL at which clients reach the gateway (empty: none yet)?',
    preset: '',
    flag: '--public-url',
    fault: (answer) => (answer === '' ? null : urlFault(answer)),
  },
]

/** `TALKBRIDGE_…` would be read as a key of the configuration. */
const variableOf = (name: string): string => {
  const word = name.toUpperCase().replaceAll('-', '_')
  return `${/^(?!TALKBRIDGE)[A-Z_]/.test(word) ? '' : 'CLIENT_'}${word}_KEY`
}

const ADMIN_KEY = 'ADMIN_KEY'

interface Variables {
  apiKey: string
  clientKey: string
  adminKey: string
}
const variablesOf = (answers: Answers): Variables => {
  const apiKey = `${answers.interface.toUpperCase()}_API_KEY`
  const clientKey = variableOf(answers.client)
  // Of a client `primary-api`: the backend's key would be the client's, too.
  const isTaken = clientKey === apiKey || clientKey === ADMIN_KEY
  return { apiKey, clientKey: isTaken ? `CLIENT_${clientKey}` : clientKey, adminKey: ADMIN_KEY }
}

/** The file. Secrets are references: nothing in it is one. Pure. */
const firstFile = (answers: Answers, { apiKey, clientKey, adminKey }: Variables): string => {
  const { publicUrl } = answers
  return `# A Talkbridge gateway. Every key and its reason: config/default.yaml of the package.
# \`talkbridge config check\` lists mistakes. \`talkbridge doctor\` checks what the gateway needs.

# It listens on 127.0.0.1:8080 and stores in ./data/talkbridge.db; a container listens on 0.0.0.0 and stores in /data.
# server.host: 0.0.0.0 lets other machines connect: put a proxy that ends TLS in front.
${publicUrl === '' ? '# server: { public_url: https://gateway.example.com }' : `server:\n  public_url: ${JSON.stringify(publicUrl)}`}

backends:
  main:
    interface: ${answers.interface}
    base_url: ${JSON.stringify(answers.baseUrl)}
    api_key: \${${apiKey}}

clients:
  - id: ${JSON.stringify(answers.client)}
    key: \${${clientKey}}

console:
  # For operators only: it sees every client, and issues keys. Apps get a key of their own, without these rights.
  admin_key: \${${adminKey}}
`
}

const nextSteps = (
  file: string,
  { apiKey, clientKey, adminKey }: Variables,
): string => `Wrote ${file}. It contains no secret.

Next:
  1. Set the variables that the file uses. Your client needs the second value, and your operators need the third one:
       export ${apiKey}='the key of your account at the backend'
       export ${clientKey}="$(openssl rand -hex 32)"
       export ${adminKey}="$(openssl rand -hex 32)"
  2. talkbridge doctor --config ${file}
  3. talkbridge serve --config ${file}
`

/** Lines as they are typed. It never reads ahead: that would keep the process alive after the last answer. */
async function* linesOf(typed: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of typed) {
    const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

const ask = async (
  { text, preset, flag, fault }: Question,
  lines: AsyncGenerator<string, void, void>,
  { stdout }: CliContext,
): Promise<string> => {
  for (;;) {
    stdout(`${text}${preset ? ` [${preset}]` : ''} `)
    const line = (await lines.next()).value?.trim()
    if (line === undefined) throw new CliError(2, `\nno answer: give ${flag} instead`)
    const answer = line === '' && preset !== null ? preset : line
    const why = fault(answer)
    if (why === null) return answer
    stdout(`  ${why}\n`)
  }
}

/** What flags answer, checked; a terminal is asked for the rest. */
const answersOf = async (options: Options, command: Command, context: CliContext): Promise<Answers> => {
  const faults = QUESTIONS.flatMap(({ field, flag, fault }) => {
    const answer = options[field]
    const why = answer === undefined ? null : fault(answer)
    return why === null ? [] : [`${flag}: ${why}`]
  })
  if (faults.length > 0) throw new CliError(2, faults.join('\n'))
  const { interface: kind = '', baseUrl = '', client = '', publicUrl = '' } = options
  const answers: Answers = { interface: kind, baseUrl, client, publicUrl }
  const open = QUESTIONS.filter(({ field }) => options[field] === undefined)
  if (!context.isTty || options.yes === true) {
    const missing = open.filter(({ preset }) => preset === null).map(({ flag }) => flag)
    if (missing.length > 0)
      throw new CliError(
        2,
        `without a terminal, or with --yes, there are no questions: give ${missing.join(', ')}\n\n${command.helpInformation()}`.trimEnd(),
      )
    for (const { field, preset } of open) answers[field] = preset ?? ''
    return answers
  }
  const lines = linesOf(context.stdin())
  try {
    for (const question of open) answers[question.field] = await ask(question, lines, context)
    return answers
  } catch (error) {
    if (context.signal.aborted) throw new CliError(1, '\ntalkbridge config init: interrupted: nothing is written')
    throw error
  } finally {
    await lines.return()
  }
}

/** Whatever was answered, the file is one that a gateway takes. */
const checked = (text: string, { apiKey, clientKey, adminKey }: Variables): string => {
  const env = { [apiKey]: 'k', [clientKey]: 'k'.repeat(20), [adminKey]: 'a'.repeat(20) }
  const parsed = parseConfig({ text, env, readFile: () => '' })
  if (parsed.ok) return text
  throw new CliError(2, parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
}

const init = async (file: string, options: Options, command: Command, context: CliContext): Promise<void> => {
  const path = resolve(context.cwd, file)
  const force = options.force ?? false
  if (!/\.ya?ml$/.test(file))
    throw new CliError(2, `${file}: the name must end with .yaml or .yml, such as gateway.yaml`)
  if (!force && existsSync(path))
    throw new CliError(2, `${file} exists: give another file name, or --force to overwrite it`)
  const answers = await answersOf(options, command, context)
  const variables = variablesOf(answers)
  const text = checked(firstFile(answers, variables), variables)
  try {
    writeFileSync(path, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    throw new CliError(1, `talkbridge: ${path} cannot be written: ${messageOf(error)}`, { cause: error })
  }
  context.stdout(nextSteps(file, variables))
}

/** Adds `talkbridge config init`. */
const addConfigInit = (config: Command, context: CliContext): void => {
  config
    .command('init')
    .description('write a first configuration file from your answers or flags; secrets stay in variables')
    .argument('[file]', 'the file', 'gateway.yaml')
    .option('--interface <name>', `what the backend speaks: ${INTERFACES.join(' or ')}`)
    .option('--base-url <url>', 'base URL of the backend')
    .option('--client <id>', 'name of your first client')
    .option('--public-url <url>', 'the https URL at which clients reach the gateway')
    .option('-y, --yes', 'ask nothing: use the default for every flag that you leave out')
    .option('--force', 'overwrite the file')
    .action((file: string, options: Options, command: Command) => init(file, options, command, context))
}

/** In the package as in a checkout. */
const DOCUMENTED = new URL('../../config/default.yaml', import.meta.url)

interface CheckOptions {
  readonly config?: string
  readonly json?: boolean
  readonly connect?: boolean
  readonly timeout: number
}

/** `talkbridge config check|init|schema`. */
export const configCommand: Register = (program, context) => {
  const config = program
    .command('config')
    .description('check a configuration, write a first one, or print its JSON Schema')
  withTimeoutOption(withConfigOption(config.command('check')))
    .description(
      'list all faults of a configuration file, one `path: message (line, column)` a line; warnings do not fail',
    )
    .argument('[file]', 'the file (default: --config, or TALKBRIDGE_CONFIG)')
    .option('--connect', 'also connect to the store, Redis and each backend, as `talkbridge doctor` does')
    .option('--json', 'print the result as JSON')
    .action(async (file: string | undefined, options: CheckOptions) => {
      const path = file ?? configFile(options, context)
      if (path === null)
        throw new CliError(2, 'no configuration file: give FILE or --config FILE, or set TALKBRIDGE_CONFIG')
      await check(path, options, context)
    })
  addConfigInit(config, context)
  config
    .command('schema')
    .description('print the JSON Schema of a configuration file, for editors')
    .action(() => {
      // An image may lack the file: the schema is the same, without words.
      const documented = existsSync(DOCUMENTED) ? readFileSync(DOCUMENTED, 'utf8') : ''
      context.stdout(`${JSON.stringify(configJsonSchema(documented), null, 2)}\n`)
    })
}

/** No mistakes of a file that is checked by another user, or for another machine. */
const ELSEWHERE: readonly string[] = ['key_unreadable', 'port_unusable']
/** Where the file is used, the port may be free: warnings. */
const OF_NOW: readonly string[] = ['gateway_other', 'port_taken']

const faultOf = ({ code, about, found, advice }: Finding): Fault => ({
  path: about,
  message: `${code}: ${found}. ${advice ?? ''}`.trim(),
})

const check = async (file: string, options: CheckOptions, context: CliContext): Promise<void> => {
  const { json = false, connect = false, timeout: limitMs } = options
  const parsed = readConfig(file, context)
  const hereFindings = async (config: Config): Promise<Finding[]> => {
    const { sections } = await examine({ file, config, limitMs, isLocal: true, checksOf: startChecks }, context)
    return sections
      .flatMap(({ findings }) => findings)
      .filter(({ level, code }) => level === 'fault' && !ELSEWHERE.includes(code))
  }
  const here = parsed.ok && !connect ? await hereFindings(parsed.config) : []
  const hereFaults = (areOfNow: boolean): Fault[] =>
    here.filter(({ code }) => OF_NOW.includes(code) === areOfNow).map(faultOf)
  // What the file lacks (a default, a variable, the key's file) has no line in it.
  const faults = parsed.ok
    ? [...startFaults(parsed.config), ...hereFaults(false)].map((fault) => located(fault, parsed.locate, true))
    : parsed.faults
  const isFine = faults.length === 0
  const warnings = parsed.ok
    ? [
        ...configWarnings(parsed.config, context.env).map((warning) => located(warning, parsed.locate)),
        ...hereFaults(true).map((warning) => located(warning, parsed.locate, true)),
      ]
    : []
  const notes = parsed.ok ? replacedLines(file, parsed, context) : []
  const connected =
    parsed.ok && isFine && connect
      ? await examine({ file, config: parsed.config, limitMs, checksOf: connectingChecks }, context)
      : null
  if (json) {
    const more = connected ? { requests: connected.requests, findings: flat(connected) } : {}
    const ok = isFine && !(connected && hasFault(connected))
    context.stdout(`${JSON.stringify({ file, ok, faults, warnings, notes, ...more })}\n`)
  } else {
    for (const warning of warnings) context.stderr(`warning: ${faultLine(file, warning)}\n`)
    for (const note of notes) context.stderr(`note: ${faultLine(file, note)}\n`)
    if (isFine) context.stdout(`${file}: ok\n`)
    if (connected) context.stdout(`\n${asText(connected, createPaint(context))}`)
  }
  if (!isFine) throw new CliError(2, json ? '' : faultLines(file, faults))
  if (connected && hasFault(connected)) throw new CliError(1, '')
}
