import { useState } from 'preact/hooks'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/header.tsx'
import { Note } from '../../ui/states.tsx'
import type { Shown } from './use-video.ts'

/** Played through the gateway: the backend's own link expires, and is of another origin. */
const pathOf = (id: string): string => `/console/media/videos/${encodeURIComponent(id)}`

/** The finished film. */
export const Film = ({ video }: { video: Shown }) => {
  const [isBroken, setBroken] = useState(false)
  return (
    <Card title="Video" actions={<LinkButton href={video.content_url}>Open the file</LinkButton>}>
      {isBroken ? (
        <Note kind="warn">
          <p>
            The video cannot be played now, because the backend gave no file. It may be too old, or the backend is down.
          </p>
          <Button onClick={() => setBroken(false)}>Try again</Button>
        </Note>
      ) : (
        <video
          class="film"
          controls
          playsInline
          preload="metadata"
          aria-label={`Video ${video.id}`}
          src={pathOf(video.id)}
          onError={() => setBroken(true)}
        />
      )}
    </Card>
  )
}
