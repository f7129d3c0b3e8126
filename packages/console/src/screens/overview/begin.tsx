import { may, useSession } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Code } from '../../ui/copy.tsx'
import { Empty } from '../../ui/states.tsx'

const curl = (): string =>
  `curl ${location.origin}/unified/v1/videos --oauth2-bearer "$KEY" \\
  --json '{"image_url": "https://example.com/anna.png", "text": "Hello from Talkbridge."}'`

/** What to do where nothing happens yet. */
export const Begin = () => {
  const canCreate = may(useSession(), 'videos:create')
  return (
    <Empty title="No videos in the last 24 hours">
      {canCreate && (
        <>
          <p>Make one on this page, or from your program. It appears here immediately.</p>
          <LinkButton href="/console/playground">Open the playground</LinkButton>
          <div class="begin-code">
            <Code label="a command that makes a video" text={curl()} />
          </div>
        </>
      )}
      <p>
        <a href="/console/videos">All videos</a>
      </p>
    </Empty>
  )
}
