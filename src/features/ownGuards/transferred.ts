/** What commands that copy, move or link change: what they take away, and what they put their sources over. */
import { statSync } from "node:fs"
import { type Call, nameOf } from "../guard/Call.ts"
import { type Argument, first } from "../guard/expand.ts"
import { absolute } from "../guard/paths.ts"
import { unknown } from "../guard/script.ts"
import {
  allOf,
  firstMeaning,
  type Look,
  meaning,
  meaningOfFilled,
  meaningOfFolder,
  meaningOfRoot
} from "./meaning.ts"
import { programWords } from "./program.ts"

/** The last operand is where all others go, under their own names. */
const copiers = new Set("cp mv install ln rsync scp ditto".split(" "))

export const isTransfer = ({ name }: Call): boolean => copiers.has(name)

interface Transfer {
  readonly options: readonly string[]
  readonly sources: readonly string[]
  readonly targets: readonly string[]
}

/** `-t` is a folder's option with these alone: to `rsync` it means times. */
const takesFolder = new Set(["cp", "mv", "install", "ln"])

const readTransfer = ({ args, name }: Call): Transfer => {
  const operands: Argument[] = []
  const options: string[] = []
  let folder: readonly string[] | undefined
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Argument
    const text = first(arg)
    if (text === "-" || !text.startsWith("-")) operands.push(arg)
    else options.push(text)
    if (!takesFolder.has(name)) continue
    if (/^-[a-zA-Z]*t$|^--t[a-z-]*$/.test(text)) folder = args[++at]?.values ?? []
    else if (/^-t.|^--t[a-z-]*=/.test(text)) folder = [text.replace(/^-t|^--t[a-z-]*=/, "")]
  }
  if (folder !== undefined) return { options, sources: allOf(operands), targets: folder }
  // `ln x` puts the link here.
  if (operands.length === 1 && name === "ln") return { options, sources: allOf(operands), targets: ["."] }
  return { options, sources: allOf(operands.slice(0, -1)), targets: operands.at(-1)?.values ?? [] }
}

const has = ({ options }: Transfer, wanted: RegExp): boolean => options.some((text) => wanted.test(text))

/** What becomes of a source: most are only read. A link is another name for it, by which it can be written to. */
const taken = (source: string, transfer: Transfer, call: Call, look: Look): string | undefined => {
  if (call.name === "mv") return meaning(source, call, look, true)
  // Under another name it would do what it is told without being known by its name.
  const program = meaning(source, call, look, false)
  if (program === programWords && /(?:\.bin\/hooktape|\.js)$/.test(source)) return program
  const links = call.name === "ln" || (call.name === "cp" && has(transfer, /^-[a-zA-Z]*[ls]|^--(?:li|sy)/))
  if (links) return meaningOfRoot(source, call, look)
  return has(transfer, /^--remove-/) ? meaningOfFolder(source, call, look) : undefined
}

/** What goes over is all that lies in the source, under names that nobody can tell. */
const isContents = (source: string, { name }: Call): boolean =>
  /(?:^|\/)\.{1,2}\/?$/.test(source) || name === "ditto" || (name === "rsync" && source.endsWith("/"))

const isFolder = (value: string, { state }: Call): boolean =>
  statSync(absolute(value, state) ?? "", { throwIfNoEntry: false })?.isDirectory() === true

/** What becomes of the target itself. A folder stays what it was, unless something is put in its place. */
const replaced = (target: string, transfer: Transfer, call: Call, look: Look): string | undefined => {
  const inPlace =
    has(transfer, /^--(?:no-target-d|del)/) ||
    (takesFolder.has(call.name) && has(transfer, /^-[a-zA-Z]*T/)) ||
    (call.name === "ln" && has(transfer, /^-[a-zA-Z]*n|^--no-d/))
  if (inPlace) return meaning(target, call, look, true)
  // On a Mac `cp -R x/` copies what is in it.
  const filled = transfer.sources.some((source) => isContents(source, call) || source.endsWith("/"))
  if (filled) return meaningOfFilled(target, call, look)
  return isFolder(target, call) ? meaning(target, call, look, false) : meaningOfFolder(target, call, look)
}

/** Where a source lands: beneath the target, under its own name. One that is open fits no hidden file, as in a shell. */
const landing = (source: string, target: string): string => {
  const name = nameOf(source.replace(/^[^/]*:/, "").replace(/\/+$/, ""))
  return `${target}/${name.replaceAll(unknown, "*")}`
}

const isRemote = (target: string, { name }: Call): boolean =>
  (name === "scp" || name === "rsync") && /^[^/]+:/.test(target)

/** What is touched by a copy, a move or a link, in words. */
export const transferred = (call: Call, look: Look): string | undefined => {
  const transfer = readTransfer(call)
  const { sources, targets } = transfer
  return (
    firstMeaning(sources, (source) => taken(source, transfer, call, look)) ??
    firstMeaning(
      targets.filter((target) => !isRemote(target, call)),
      (target) =>
        replaced(target, transfer, call, look) ??
        firstMeaning(
          sources.filter((source) => !isContents(source, call)),
          (source) => meaning(landing(source, target), call, look, true)
        )
    )
  )
}
