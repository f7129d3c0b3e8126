import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes, 'class'> & {
  class?: string
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** What it does is under way. */
  isBusy?: boolean
  children: ComponentChildren
}

/** While it is busy it keeps the focus and does nothing: `disabled` would throw the focus away. */
export const Button = ({
  kind = 'plain',
  isBusy = false,
  class: more = '',
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    class={`button ${kind} ${more}`}
    aria-busy={isBusy}
    {...(isBusy ? { 'aria-disabled': true, onClick: (event: Event) => event.preventDefault() } : { onClick })}
  />
)

interface LinkButtonProps {
  href: string
  /** It is a file, to be kept under this name: no page of ours. */
  file?: string
  children: ComponentChildren
}

/** Goes somewhere, and looks like a button. */
export const LinkButton = ({ href, file, children }: LinkButtonProps) => (
  <a class="button plain" href={href} {...(file !== undefined && { download: file })}>
    {children}
  </a>
)
