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
