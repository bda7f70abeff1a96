/** `overwrite`: what puts many files at once over a folder that everything lives in, under names that the command does not say. */
import { type Call, type Rule, readOptions, shown } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { absolute, judge } from "./paths.ts"
import type { Verdict } from "./rule.ts"
import { unknown } from "./script.ts"

/** What a system is made of. `/usr/local` and `/opt` are where programs are unpacked. */
const ofSystem =
  /^\/(?:(?:usr|var|lib|lib64)?(?:\/(?:lib|bin|sbin|share))?|etc|boot|bin|sbin|home|root|Users)$/

const isFull = (path: string | undefined, { state }: Call): path is string =>
  path !== undefined && !state.remote && (path === state.place.home || ofSystem.test(path))

const said = (how: string, path: string, does: string): Verdict => ({
  rule: "overwrite",
  action: "ask",
  reason: `${how} ${does} ${shown(path)}.`
})

const unpacks = "writes over whatever has the same names in"

/** The value of an option by its letter or its long name, apart or attached. */
const valueOf = (args: readonly Argument[], letter: string, long?: string): string | undefined => {
  for (const [at, arg] of args.entries()) {
    const text = first(arg)
    if (text === long || new RegExp(`^-[a-zA-Z]*${letter}$`).test(text)) return first(args[at + 1] ?? arg)
    if (long !== undefined && text.startsWith(`${long}=`)) return text.slice(long.length + 1)
    if (text.startsWith(`-${letter}`)) return text.slice(2)
  }
  return undefined
}

/** Where an archive is unpacked; undefined where this unpacks none. */
const folderOf = ({ args, name }: Call): string | undefined => {
  const [verb = "", ...rest] = args.map(first)
  switch (name) {
    case "tar":
    case "gtar":
    case "bsdtar": {
      const extracts =
        /^-?[a-zA-Z]*x/.test(verb) || rest.some((text) => /^(?:-[a-zA-Z]*x|--extract|--get)/.test(text))
      // Single members, and what is only shown.
      const takesSome = [verb, ...rest].some((text) =>
        /^(?:-O|--to-stdout|-k|--keep-old-files|--skip-old-files)$/.test(text)
      )
      return extracts && !takesSome ? (valueOf(args, "C", "--directory") ?? ".") : undefined
    }
    case "unzip":
      return args.some((arg) => /^-[a-zA-Z]*[ltpvzn]/.test(first(arg)))
        ? undefined
        : (valueOf(args, "d") ?? ".")
    case "7z":
    case "7za":
    case "7zz":
      return verb === "x" ? (valueOf(args, "o") ?? ".") : undefined
    case "cpio":
      return [verb, ...rest].some((text) => /^-[a-zA-Z]*i|^--extract/.test(text))
        ? (valueOf(args, "D", "--directory") ?? ".")
        : undefined
    default:
      return undefined
  }
}

/** `mv -f x/* ~/`: nobody is asked about what is there already. */
const poured = (call: Call): Verdict | undefined => {
  const { flags, operands } = readOptions(call.args, "tS")
  const target = operands.at(-1)
  const path = target && absolute(first(target), call.state)
  if (!(flags.has("f") || flags.has("--force")) || !isFull(path, call)) return undefined
  return operands.slice(0, -1).some((arg) => /\/\*$|^\*$|\/\.$/.test(first(arg)))
    ? said(`\`${call.name} -f\``, path, unpacks)
    : undefined
}

const renamers = new Set("rename prename perl-rename file-rename mmv zmv".split(" "))

/** `rename … ~/*`. */
const renamed = (call: Call): Verdict | undefined => {
  if (call.args.some((arg) => /^-[a-zA-Z]*n|^--(?:no-act|dry-run)/.test(first(arg)))) return undefined
  for (const { values } of readOptions(call.args, "e").operands) {
    const found = values.find((value) => /\/\*$/.test(value) && judge(value, call.state) !== undefined)
    if (found !== undefined) return said(`\`${call.name}\``, found, "gives other names to")
  }
  return undefined
}

/** What lies beneath is out of reach from then on. */
const mounted = (call: Call): Verdict | undefined => {
  const { operands } = readOptions(call.args, "toOLU")
  const path = operands.length < 2 ? undefined : absolute(first(operands.at(-1) as Argument), call.state)
  return isFull(path, call) ? said("`mount`", path, "puts something else in the place of") : undefined
}

export const unpacked: Rule = (call) => {
  const { name } = call
  if (name === "mv" || name === "cp") return poured(call)
  if (renamers.has(name)) return renamed(call)
  if (name === "mount") return mounted(call)
  const folder = folderOf(call)
  const path = folder === undefined || folder.startsWith(unknown) ? undefined : absolute(folder, call.state)
  return isFull(path, call) ? said(`\`${name}\``, path, unpacks) : undefined
}
