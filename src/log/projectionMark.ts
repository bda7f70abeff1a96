/** Under which name a projection keeps how far it is. Light: hooks ask its tables too. */

export interface Versioned {
  readonly name: string
  /** Raised when other tables follow from the same facts: what is there is then made anew. */
  readonly version: number
}

export const markOf = ({ name, version }: Versioned): string => `projection/${name}/${version}`
