/** What was seen on the disk while one command is judged: nothing is looked at twice. */
export class Looked {
  readonly #found = new Map<string, unknown>()

  /** `what` tells looks of different kinds apart. */
  once<A>(what: string, path: string, look: () => Promise<A>): Promise<A> {
    const key = `${what} ${path}`
    const there = this.#found.get(key) as Promise<A> | undefined
    if (there !== undefined) return there
    const found = look()
    this.#found.set(key, found)
    return found
  }
}
