/** What is put on the wire in the end. */
export type Outcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Record<string, string>
      readonly text: string
    }
  | { readonly kind: 'huge'; readonly bytes: number; readonly headers: Record<string, string> }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' }
