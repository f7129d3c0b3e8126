/** What a screen is handed by the router. */
export interface ScreenProps {
  /** The part of the path that stands for an id or a name. */
  id?: string
}
