/** What the console is given beside the configuration. */
export interface ConsoleParts {
  /** Where its files are; default: where a build puts them. */
  folder?: string
  /** A key that is no secret, told to whoever asks: of the sandbox alone. */
  sandboxKey?: string
}
