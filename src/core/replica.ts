/** This process among those that share the store. */
export interface Replica {
  /** Different for every start of a process: `<host>-<pid>-<random>`. */
  id: string
  /** No other process uses the store, so none need be told anything. */
  isAlone: boolean
}
