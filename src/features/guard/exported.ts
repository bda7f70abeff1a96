/** `export NAME=value`: what the programs find that are started from here on. */
import { type Argument, first } from "./expand.ts"
import { type Exported, type ShellState, valuesOf } from "./shellState.ts"

/** More than these are not remembered. */
const maxExported = 50

/** Once its values are set. */
export const followExport = (args: readonly Argument[], state: ShellState): void => {
  const isTakenBack = args.some((arg) => /^-\w*n/.test(first(arg)))
  const exported = new Map<string, readonly string[]>(state.exported)
  for (const text of args.map(first)) {
    const [name = ""] = text.split("=", 1)
    if (!/^[A-Za-z_]\w*$/.test(name)) continue
    const values = isTakenBack ? undefined : valuesOf(state, name)
    if (values === undefined) exported.delete(name)
    else if (exported.size < maxExported) exported.set(name, values)
  }
  state.exported = exported satisfies Exported
}
