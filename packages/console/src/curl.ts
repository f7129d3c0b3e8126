/** For a shell: nothing in it means anything. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A create as a command. The key is the shell's `$KEY`: the page never has it. Pure. */
export const createCommand = (body: object, origin: string): string =>
  [
    `curl -s ${quoted(`${origin}/unified/v1/videos`)}`,
    '-H "authorization: Bearer $KEY"',
    `-H 'content-type: application/json'`,
    `--data-raw ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ')
