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
  <div class="head">
    <div>
      {back && (
        <a class="back" href={back.href}>
          ← {back.text}
        </a>
      )}
      <h1>{title}</h1>
    </div>
    <div class="actions">{children}</div>
  </div>
)

/** A part of a page with a title of its own. */
export const Card = ({
  title,
  children,
  actions,
}: {
  title: string
  children: ComponentChildren
  actions?: ComponentChildren
}) => (
  <section class="card">
    <div class="card-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)

/** Names and values: a `null` value is a dash. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? '–'}</dd>
      </div>
    ))}
  </dl>
)

interface TabsProps {
  label: string
  /** Each is a page of its own, so that it has an address. */
  tabs: readonly { href: string; text: string; isHere: boolean }[]
}

export const Tabs = ({ label, tabs }: TabsProps) => (
  <div class="tabs" role="navigation" aria-label={label}>
    {tabs.map(({ href, text, isHere }) => (
      <a key={href} href={href} {...(isHere && { 'aria-current': 'page' as const })}>
        {text}
      </a>
    ))}
  </div>
)

/** Several views of one page, each with an address of its own; the first has no word in it. */
export const Views = ({ label, views }: { label: string; views: readonly (readonly [string, string])[] }) => {
  const { path } = useLocation()
  const { filters } = useFilters()
  const now = filters['view'] ?? ''
  return (
    <Tabs
      label={label}
      tabs={views.map(([view, text]) => ({ href: path + queryOf({ view }), text, isHere: view === now }))}
    />
  )
}
