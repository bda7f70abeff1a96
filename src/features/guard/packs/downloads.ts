/** Files that a command downloads: what is in them nobody has read when they are started a moment later. */
import { type Call, textsOf } from "../Call.ts"
import { expand } from "../expand.ts"
import { absolute } from "../paths.ts"
import { keepName } from "../shellState.ts"

interface Letters {
  /** The file that it writes to. */
  readonly file: string
  /** The folder that it writes into, under the name that the address ends in. */
  readonly folder: string
  /** All that take a value: what stands behind one of them is no option. */
  readonly valued: string
  /** It writes into a file of the address's name where this is among its letters; `undefined`: unless it is told a file. */
  readonly named: string | undefined
}

const curl: Letters = { file: "o", folder: "", valued: "AbcCdDeEFhHKmoPQrtTuUwxXyYz", named: "O" }
const wget: Letters = { file: "O", folder: "P", valued: "aABDeGiIlnoOPQRtTUwX", named: undefined }
const aria: Letters = { file: "o", folder: "d", valued: "dijklmoOsStTx", named: undefined }
const others: Letters = { file: "o", folder: "", valued: "o", named: "d" }

const byName: Readonly<Record<string, Letters>> = { curl, wget, aria2c: aria }

const lettersOf = (name: string): Letters =>
  (Object.hasOwn(byName, name) ? byName[name] : undefined) ?? others

const longFile = /^(?:--out(?:put(?:-document)?)?|-outf(?:ile)?)(?:=(.*))?$/is
const longFolder = /^(?:--output-dir|--directory-prefix|--dir)(?:=(.*))?$/s
const longNamed = /^--(?:remote-name|download$)/

interface Downloaded {
  readonly files: string[]
  readonly addresses: string[]
  folder: string | undefined
  isNamed: boolean
}

/** The first letter of a word of options that takes a value, and where that begins. */
const taking = (text: string, valued: string): number => {
  for (let at = 1; at < text.length; at++) if (valued.includes(text[at] as string)) return at
  return -1
}

/** Letters may stand together: the last of them takes the rest of the word, or the next word. */
const readDownload = (texts: readonly string[], letters: Letters): Downloaded => {
  const read: Downloaded = {
    files: [],
    addresses: [],
    folder: undefined,
    isNamed: letters.named === undefined
  }
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string
    const file = longFile.exec(text)
    const folder = longFolder.exec(text)
    if (file !== null) read.files.push(file[1] ?? texts[++at] ?? "")
    else if (folder !== null) read.folder = folder[1] ?? texts[++at] ?? ""
    else if (longNamed.test(text)) read.isNamed = true
    else if (/^-[^-]/.test(text)) {
      const place = taking(text, letters.valued)
      const alone = place < 0 ? text : text.slice(0, place)
      if (letters.named !== undefined && alone.includes(letters.named)) read.isNamed = true
      if (place < 0) continue
      const value = place < text.length - 1 ? text.slice(place + 1) : (texts[++at] ?? "")
      if (letters.file.includes(text[place] as string)) read.files.push(value)
      else if (letters.folder.includes(text[place] as string)) read.folder = value
    } else if (/^https?:\/\//.test(text)) read.addresses.push(text)
  }
  return read
}

/** What the address ends in, without what is asked of it. */
const nameIn = (address: string): string => address.replace(/[?#].*$/s, "").replace(/^.*\//s, "")

/** The files that its words name, as they are named. */
const namedFiles = (call: Call): readonly string[] => {
  const texts = textsOf(call.args)
  const letters = lettersOf(call.name)
  const { addresses, files, folder, isNamed } = readDownload(texts, letters)
  const isTold = letters.named === undefined && files.length > 0
  const all = [...files, ...(isNamed && !isTold ? addresses.map(nameIn) : [])].filter(
    (file) => !/^-|:\/\/|^$/.test(file)
  )
  return folder === undefined ? all : all.map((file) => (file.startsWith("/") ? file : `${folder}/${file}`))
}

/** Files that a download was written to. */
export const rememberDownload = (call: Call): void => {
  const { state } = call
  const redirected = call.redirects
    .filter(({ operator }) => operator.startsWith(">"))
    .flatMap(({ target }) => expand(target, state))
  for (const file of [...namedFiles(call), ...redirected]) {
    const path = absolute(file, state)
    if (path !== undefined && path !== "/dev/null") keepName(state, state.fetched, path)
  }
}

export const isDownloaded = (text: string, { state }: Call): boolean => {
  const path = state.fetched.size === 0 ? undefined : absolute(text, state)
  return path !== undefined && state.fetched.has(path)
}
