import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escaped } from './build-guide.ts'

export interface GuidePage {
  /** From the root of the repository: `docs/api.md`. */
  source: string
  title: string
  html: string
  /** The files that it shows, from the root. */
  pictures: readonly string[]
}

interface Places {
  /** Null: no page of the guide. */
  urlOf: (source: string) => string | null
  pictureUrlOf: (path: string) => string
}

/** As GitHub names headings, so that links to them work here as there. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const isElsewhere = (href: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(href)

/** What a page's Markdown becomes: no script and no style of its own, and links that stay here. Pure. */
export const pageOf = (source: string, markdown: string, { urlOf, pictureUrlOf }: Places): GuidePage => {
  const pictures: string[] = []
  const slugs = new Map<string, number>()
  let title = source
  const fromRoot = (href: string): string => posix.join(posix.dirname(source), href)

  const anchorOf = (text: string): string => {
    const slug = slugOf(text)
    const before = slugs.get(slug) ?? 0
    slugs.set(slug, before + 1)
    return before === 0 ? slug : `${slug}-${before}`
  }
  const linkOf = (href: string, label: string): string => {
    if (isElsewhere(href)) return `<a href="${escaped(href)}" rel="noreferrer">${label}</a>`
    const [path = '', fragment] = href.split('#', 2)
    const behind = fragment === undefined ? '' : `#${escaped(fragment)}`
    const url = path === '' ? '' : urlOf(fromRoot(path))
    // A file that is no page: it stands in the package under this name.
    if (url === null) return `${label} <small>(<code>${escaped(fromRoot(path))}</code>)</small>`
    return `<a href="${url}${behind}">${label}</a>`
  }

  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const label = this.parser.parseInline(tokens)
        if (depth === 1) title = this.parser.parseInline(tokens, this.parser.textRenderer)
        const id = anchorOf(text.replaceAll(/[`*]/g, ''))
        return `<h${depth} id="${escaped(id)}">${label} <a class="anchor" href="#${escaped(id)}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        return linkOf(href, this.parser.parseInline(tokens))
      },
      image({ href, text }: Tokens.Image) {
        const path = fromRoot(href)
        pictures.push(path)
        return `<img src="${escaped(pictureUrlOf(path))}" alt="${escaped(text)}" loading="lazy">`
      },
      // Comments tell the tests what a block does. `<a id="talkbridgedown"></a>` is where an alert leads. There is no other HTML.
      html({ text }: Tokens.HTML | Tokens.Tag) {
        if (/^<a id="[\w-]+">$|^<\/a>$/.test(text)) return text
        return text.trimStart().startsWith('<!--') ? '' : escaped(text)
      },
    },
  })
  const html = marked
    .parse(markdown, { async: false })
    // Markdown has no table without a head: an empty one is for nobody.
    .replaceAll(/<thead>\s*<tr>(\s*<th[^>]*><\/th>)+\s*<\/tr>\s*<\/thead>/g, '')
    .replaceAll('<table>', '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    // Where columns stand is told by classes: the page takes no style from its text.
    .replaceAll(/ align="(\w+)"/g, ' class="$1"')
  return { source, title, html, pictures }
}
