/** What reading found that is not as it was recorded. */
export interface Damage {
  /**
   * `damaged`: it is there, and not what was recorded. `missing`: it is not there, and nobody took it away. `cut`: the end of the
   * log is gone. `restart`: it went with the machine. `unreadable`: what vouches for the facts cannot be read. `closed`: nothing
   * can be added to it.
   */
  readonly kind: "damaged" | "missing" | "cut" | "restart" | "unreadable" | "closed"
  readonly first: number
  readonly last: number
  /** How many of these positions. */
  readonly facts: number
}

export const placed = ({ first, last }: Pick<Damage, "first" | "last">): string =>
  first === last ? `position ${first}` : `positions ${first} to ${last}`

/** One half of a sentence. */
export const describeDamage = (damage: Damage): string => {
  const { facts, kind } = damage
  switch (kind) {
    case "unreadable":
      return "what vouches for its facts cannot be read"
    case "closed":
      return "what was spooled cannot be taken in, and waits"
    case "cut":
      return `its end is gone: ${placed(damage)}`
    case "restart":
      return `${placed(damage)} went down with the machine: what was written last may be lost with its power`
    default:
      return `${facts === 1 ? "1 fact is" : `${facts} facts are`} ${kind} at ${placed(damage)}`
  }
}
