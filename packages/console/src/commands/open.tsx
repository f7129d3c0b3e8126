import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, Icon } from '../ui/button.tsx'
import { toast } from '../ui/states.tsx'
import { whyMissing } from '../shell/missing.tsx'
import type { CommandsProps } from './index.tsx'
import { isMac, useKeys, type Visited } from './keys.ts'

/** The keys of the page; those that open something, which is loaded when it is first asked for. */
export const usePalette = (
  leave: () => void,
  recent: readonly Visited[],
): { open: () => void; palette: ComponentChildren } => {
  const [Commands, setCommands] = useState<ComponentType<CommandsProps> | null>(null)
  const [shown, setShown] = useState<CommandsProps['shown'] | null>(null)
  const open = (what: CommandsProps['shown']): void =>
    // Another dialog asks something first.
    setShown((before) => before ?? (document.querySelector('dialog[open]') === null ? what : null))
  useKeys(open)
  useEffect(() => {
    if (shown === null || Commands) return
    import('./index.tsx').then(
      (loaded) => setCommands(() => loaded.Commands),
      () => {
        setShown(null)
        void whyMissing().then(({ message }) => toast(message))
      },
    )
  }, [shown, Commands])
  return {
    open: () => open('search'),
    palette: shown !== null && Commands && (
      <Commands shown={shown} show={setShown} recent={recent} leave={leave} close={() => setShown(null)} />
    ),
  }
}

export const FindButton = ({ open }: { open: () => void }) => (
  <Button kind="quiet" class="find-button" aria-haspopup="dialog" onClick={open}>
    <Icon name="search" />
    <span class="only-read">Find anything</span> <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
  </Button>
)
