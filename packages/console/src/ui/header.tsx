import type { ComponentChildren } from 'preact'
import { useFilters, queryOf } from '../reads.ts'
import { useLocation } from 'preact-iso'

interface HeaderProps {
  title: ComponentChildren
  /** What one can do here. */
  children?: ComponentChildren
  /** One level up. */
  back?: { href: string; text: string }
}

export const Header = ({ title, children, back }: HeaderProps) => (
  <div class="row between">
    <div>
      {back && (
        <a class="small" href={back.href}>
          ← {back.text}
        </a>
      )}
      <h1>{title}</h1>
    </div>
    <div class="actions">{children}</div>
  </div>
)

interface CardProps {
  title: string
  children: ComponentChildren
  actions?: ComponentChildren
}

/** A part of a page with a title of its own. */
export const Card = ({ title, children, actions }: CardProps) => (
  <section class="card">
    <div class="card-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)

/** Names and values: a `null` value is a dash, `false` in place of a row is none. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, ComponentChildren] | false)[] }) => (
  <dl class="facts stack tight">
    {rows.map(
      (row) =>
        row && (
          <div key={row[0]}>
            <dt>{row[0]}</dt>
            <dd>{row[1] ?? '–'}</dd>
          </div>
        ),
    )}
  </dl>
)

interface TabsProps {
  label: string
  /** Each is a page of its own, so that it has an address. */
  tabs: readonly { href: string; text: string; isHere: boolean }[]
}

export const Tabs = ({ label, tabs }: TabsProps) => (
  <div class="tabs row" role="navigation" aria-label={label}>
    {tabs.map(({ href, text, isHere }) => (
      <a key={href} href={href} {...(isHere && { 'aria-current': 'page' as const })}>
        {text}
      </a>
    ))}
  </div>
)

/** Several views of one page by their word in the address; the first has none. */
export const Views = ({ label, views }: { label: string; views: Readonly<Record<string, string>> }) => {
  const { path } = useLocation()
  const { filters } = useFilters()
  const tabs = Object.entries(views).map(([view, text]) => ({
    href: path + queryOf({ view, range: filters['range'] ?? '' }),
    text,
    isHere: view === (filters['view'] ?? ''),
  }))
  return <Tabs label={label} tabs={tabs} />
}
