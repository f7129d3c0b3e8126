import type { ComponentChildren } from 'preact'

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
