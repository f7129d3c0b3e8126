import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, Icon } from '../ui/button.tsx'
import { toast } from '../ui/states.tsx'

interface PaletteProps {
  leave: () => void
  close: () => void
}

const isMac = navigator.userAgent.includes('Mac')

/** The key that opens the palette, which is loaded when it is first asked for. */
export const usePalette = (leave: () => void): { open: () => void; palette: ComponentChildren } => {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      // Another dialog asks something first.
      setOpen((before) => before || document.querySelector('dialog[open]') === null)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    if (!isOpen || Palette) return
    import('./index.tsx').then(
      (loaded) => setPalette(() => loaded.Palette),
      () => {
        setOpen(false)
        toast('The search could not be loaded: check your connection')
      },
    )
  }, [isOpen, Palette])
  return {
    open: () => setOpen(true),
    palette: isOpen && Palette && <Palette leave={leave} close={() => setOpen(false)} />,
  }
}

export const FindButton = ({ open }: { open: () => void }) => (
  <Button
    kind="quiet"
    class="find-button"
    aria-haspopup="dialog"
    aria-label="Find anything"
    title={`Find anything (${isMac ? '⌘K' : 'Ctrl K'})`}
    onClick={open}
  >
    <Icon name="search" />
  </Button>
)
