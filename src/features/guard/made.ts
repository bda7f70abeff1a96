/** What a line itself made, and whether it did: behind `||` what stands before it failed. */
import type { Container, ShellState } from "./shellState.ts"

export interface Made {
  readonly containers: ReadonlyMap<string, Container>
  readonly folders: number
}

const nothing: Made = { containers: new Map(), folders: 0 }

/** What there is until now. */
export const madeUntilNow = ({ containers, made }: ShellState): Made =>
  containers.size === 0 && made.size === 0 ? nothing : { containers: new Map(containers), folders: made.size }

/** Goes through `inside` as if what was made since then had not been made. What is started there may as well have been there before. */
export const withoutMade = <A>({ containers, made }: ShellState, since: Made, inside: () => A): A => {
  const started = [...containers].filter(([key]) => !since.containers.has(key))
  const folders = [...made].slice(since.folders)
  for (const [key] of started) containers.delete(key)
  for (const folder of folders) made.delete(folder)
  const before = new Set(containers.keys())
  const result = inside()
  for (const key of [...containers.keys()]) if (!before.has(key)) containers.delete(key)
  for (const [key, container] of started) containers.set(key, container)
  for (const folder of folders) made.add(folder)
  return result
}
