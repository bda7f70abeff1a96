/** Programs that pack or copy files and delete them then. */
import { type Call, readOptions } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { absolute } from "./paths.ts"

export interface ArchivedAway {
  readonly how: string
  readonly targets: readonly Argument[]
  /** Nothing is kept of it, or it is all that there is. */
  readonly isLost: boolean
}

const valued = "file directory exclude exclude-from files-from transform"
  .split(" ")
  .map((name) => `--${name}`)

/** Where it goes before it reads names; the last of several. */
const folderIn = (texts: readonly string[]): string | undefined =>
  texts.reduce<string | undefined>((found, text, at) => {
    if (/^-\w*C$|^--directory$/.test(text)) return texts[at + 1]
    return /^--directory=(.*)$/s.exec(text)?.[1] ?? found
  }, undefined)

const beneath = (folder: string, { values, word }: Argument): Argument => ({
  word,
  values: values.map((value) => `${folder}/${value}`)
})

/** `tar --remove-files`; into nothing, or of where everything lives, it is lost. */
const byTar = (call: Call): ArchivedAway | undefined => {
  const { state } = call
  const texts = call.args.map(first)
  if (!texts.some((text) => text.length > 7 && "--remove-files".startsWith(text))) return undefined
  const kept = call.args.filter(
    (_, at) => !valued.includes(texts[at - 1] ?? "") && !valued.includes(texts[at] ?? "")
  )
  // The old way has its letters without a sign, and the archive behind them.
  const operands = readOptions(kept, "fCTXbgLKNVHIF").operands.filter(
    (arg, at, all) =>
      !(at === 0 && /^[a-zA-Z]*f$/.test(first(arg))) &&
      !(at === 1 && /^[a-zA-Z]*f$/.test(first(all[0] ?? arg)))
  )
  const isGone = texts.some((text) => /^(?:--file=)?\/dev\/(?:null|zero|stdout|fd\/\d+)$/.test(text))
  const folder = folderIn(texts)
  const targets = operands.flatMap((arg) => {
    if (absolute(first(arg), state)?.startsWith("/dev/") === true) return []
    return folder === undefined || first(arg).startsWith("/") ? [arg] : [beneath(folder, arg)]
  })
  const isWhole = targets.some((arg) => {
    const path = absolute(first(arg), state)
    return path === "/" || path === state.place.home
  })
  return { how: "`tar --remove-files`", targets, isLost: isGone || isWhole }
}

const packed = (how: string, targets: readonly Argument[]): ArchivedAway => ({ how, targets, isLost: false })

export const archivedAway = (call: Call): ArchivedAway | undefined => {
  const { args, name } = call
  const texts = args.map(first)
  if (/^(?:g|bsd)?tar$/.test(name)) return byTar(call)
  switch (name) {
    case "zip": {
      const { flags, operands } = readOptions(args, "bnttPs")
      return flags.has("m") || flags.has("--move") ? packed("`zip -m`", operands.slice(1)) : undefined
    }
    case "7z":
    case "7za":
    case "7zz":
    case "7zr":
      return texts.includes("-sdel") ? packed("`7z -sdel`", readOptions(args).operands.slice(2)) : undefined
    case "rar": {
      const { operands } = readOptions(args)
      const isMoved = /^mf?$/.test(texts[0] ?? "") || texts.some((text) => /^-d[fr]$/.test(text))
      return isMoved ? packed("`rar`", operands.slice(2)) : undefined
    }
    case "rsync": {
      if (
        !texts.includes("--remove-source-files") ||
        texts.some((text) => /^(?:-\w*n\w*|--dry-run)$/.test(text))
      )
        return undefined
      const { operands } = readOptions(args, "eBTMf")
      return packed(
        "`rsync --remove-source-files`",
        operands.slice(0, -1).filter((arg) => !/^[^/]*:/.test(first(arg)))
      )
    }
    default:
      return undefined
  }
}
