/** Deletes by other means than `rm`: into a bin, which can be had back, or as what a build left. */
import { type Call, readOptions } from "./Call.ts"
import { type Argument, first } from "./expand.ts"

export interface Removed {
  readonly how: string
  readonly targets: readonly Argument[]
  /** It lies in a bin then. */
  readonly isKept: boolean
}

const bins = new Set("trash trash-put gtrash rmtrash kioclient gvfs-trash".split(" "))

/** The folder that an option names, apart or attached. */
const folderOf = (args: readonly Argument[], option: string): readonly Argument[] =>
  args.flatMap((arg, at) => {
    const text = first(arg)
    if (text === option) return args[at + 1] ?? []
    return text.startsWith(`${option}=`)
      ? { ...arg, values: arg.values.map((value) => value.slice(option.length + 1)) }
      : []
  })

export const removedOtherwise = ({ args, name }: Call): Removed | undefined => {
  const operands = readOptions(args).operands
  const [verb] = operands.map(first)
  if (name === "gio" && (verb === "trash" || verb === "remove"))
    return { how: `\`gio ${verb}\``, targets: operands.slice(1), isKept: verb === "trash" }
  if (bins.has(name)) return { how: `\`${name}\``, targets: operands, isKept: true }
  if (name === "cargo" && verb === "clean")
    return { how: "`cargo clean`", targets: folderOf(args, "--target-dir"), isKept: false }
  return undefined
}
