import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import type { GuidePage } from './guide-page.ts'

/** The guide as pages: README.md and docs/, as they stand, rendered once. Who runs the gateway needs no renderer. */
const ROOT = resolve(import.meta.dirname, '..')
/** Where a checkout serves it from. */
export const GUIDE_DIR = join(ROOT, 'dist/guide')
const BASE = '/docs/guide'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** The order of the list of pages. A page that stands nowhere here is listed at the end. */
const GROUPS: readonly { name: string; pages: readonly string[] }[] = [
  { name: 'Begin', pages: ['README.md', 'docs/install.md', 'docs/glossary.md'] },
  {
    name: 'Use the API',
    pages: [
      'docs/api.md',
      'docs/api/videos.md',
      'docs/api/streams.md',
      'docs/webhooks.md',
      'docs/client.md',
      'docs/batches.md',
      'docs/api/voices-and-puppets.md',
      'docs/api/audio.md',
      'docs/api/errors.md',
      'docs/api/idempotency.md',
      'docs/api/check-and-import.md',
      'docs/api/usage-and-backends.md',
      'docs/api/admin.md',
      'docs/dropin.md',
    ],
  },
  {
    name: 'Run it',
    pages: [
      'production',
      'operations',
      'upkeep',
      'keys',
      'security',
      'doctor',
      'console',
      'store',
      'replicas',
      'routing',
      'pools',
      'migration',
      'metrics',
      'tracing',
      'versioning',
    ].map((name) => `docs/${name}.md`),
  },
]

/** `/docs/guide/api/videos.html`; the README is the first page. */
const urlOf = (source: string): string =>
  source === 'README.md' ? `${BASE}/` : `${BASE}/${source.slice('docs/'.length).replace(/\.md$/, '.html')}`
const fileOf = (source: string): string =>
  source === 'README.md' ? 'index.html' : urlOf(source).slice(BASE.length + 1)

const sourcesOf = async (root: string): Promise<string[]> => {
  const docs = await readdir(join(root, 'docs'), { recursive: true })
  return [
    'README.md',
    ...docs
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
      .toSorted(),
  ]
}

const grouped = (pages: readonly GuidePage[]) => {
  const byPath = new Map(pages.map((page) => [page.source, page]))
  const named = GROUPS.map(({ name, pages: sources }) => ({
    name,
    pages: sources.flatMap((source) => byPath.get(source) ?? []),
  }))
  const listed = new Set(named.flatMap((group) => group.pages))
  const isDeep = ({ source }: GuidePage): boolean => /^docs\/(decisions|contracts)\//.test(source)
  const rest = pages.filter((page) => !listed.has(page))
  return [
    ...named,
    { name: 'Look closer', pages: rest.filter((page) => !isDeep(page)) },
    { name: 'Contracts and decisions', pages: rest.filter(isDeep) },
  ].filter((group) => group.pages.length > 0)
}

const listOf = (pages: readonly GuidePage[], current: GuidePage): string =>
  grouped(pages)
    .map(({ name, pages: those }) => {
      const items = those.map((page) => {
        const here = page === current ? ' aria-current="page"' : ''
        return `<li><a href="${urlOf(page.source)}"${here}>${escaped(page.title)}</a></li>`
      })
      return `<h2>${escaped(name)}</h2><ul>${items.join('')}</ul>`
    })
    .join('\n')

const whole = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')

/** Renders every page into `outDir`, which is emptied first, with the pictures that they show. */
export const buildGuide = async (outDir: string = GUIDE_DIR, root: string = ROOT): Promise<void> => {
  await rm(outDir, { recursive: true, force: true })
  const { pageOf } = await import('./guide-page.ts')
  const sources = await sourcesOf(root)
  const known = new Set(sources)
  const pages = await Promise.all(
    sources.map(async (source) =>
      pageOf(source, await readFile(join(root, source), 'utf8'), {
        urlOf: (path) => (known.has(path) ? urlOf(path) : null),
        pictureUrlOf: (path) => `${BASE}/${posix.relative('docs', path)}`,
      }),
    ),
  )
  const template = await readFile(join(ROOT, 'scripts/guide.html'), 'utf8')
  for (const page of pages) {
    const file = join(outDir, fileOf(page.source))
    await mkdir(dirname(file), { recursive: true })
    const { title, html: content } = page
    await writeFile(file, whole(template, { title: escaped(title), content, pages: listOf(pages, page) }))
  }
  for (const picture of new Set(pages.flatMap(({ pictures }) => pictures)))
    await cp(join(root, picture), join(outDir, posix.relative('docs', picture)))
}

const changedAtMs = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.mtimeMs ?? 0

/** Renders the guide of this checkout unless it is there, and newer than its sources. One without the renderer goes without. */
export const freshGuide = async (): Promise<void> => {
  const builtAtMs = await changedAtMs(join(GUIDE_DIR, 'index.html'))
  const ours = ['build-guide.ts', 'guide-page.ts', 'guide.html'].map((name) => `scripts/${name}`)
  const times = await Promise.all([...(await sourcesOf(ROOT)), ...ours].map((name) => changedAtMs(join(ROOT, name))))
  if (Math.max(...times) < builtAtMs) return
  const hasRenderer = await import('./guide-page.ts').then(
    () => true,
    () => false,
  )
  if (!hasRenderer) return
  // Whole at once: another process may be serving from it, or building it, too.
  const building = `${GUIDE_DIR}.${process.pid}`
  await buildGuide(building)
  await rm(GUIDE_DIR, { recursive: true, force: true })
  await rename(building, GUIDE_DIR).catch(() => rm(building, { recursive: true, force: true }))
}

if (import.meta.main) await buildGuide()
