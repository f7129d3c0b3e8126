import { may, useSession } from '../session.ts'
import { Code, LinkButton } from './button.tsx'

const curl = (): string =>
  `curl ${location.origin}/unified/v1/videos --oauth2-bearer "$KEY" \\
  --json '{"image_url": "https://example.com/anna.png", "text": "Hello from Talkbridge."}'`

/** How to make a video, where there is none yet. */
export const Begin = () =>
  may(useSession(), 'videos:create') && (
    <>
      <p>Make one on this page, or from your program. It appears here immediately.</p>
      <LinkButton href="/console/playground">Open the playground</LinkButton>
      <Code label="a command that makes a video" text={curl()} />
    </>
  )
