/** What a line itself made, and whether it did: behind `||` what stands before it failed. */
import type { ShellState } from "./shellState.ts"

export interface Made {
  readonly containers: number
  readonly folders: number
}

/** How much there is until now; what comes later stands behind it. */
export const madeUntilNow = ({ containers, made }: ShellState): Made => ({
  containers: containers.size,
  folders: made.size
})

/** Goes through `inside` as if what was made since then had not been made. */
export const withoutMade = <A>({ containers, made }: ShellState, since: Made, inside: () => A): A => {
  const started = [...containers].slice(since.containers)
  const folders = [...made].slice(since.folders)
  for (const [key] of started) containers.delete(key)
  for (const folder of folders) made.delete(folder)
  const result = inside()
  for (const [key, container] of started) containers.set(key, container)
  for (const folder of folders) made.add(folder)
  return result
}
