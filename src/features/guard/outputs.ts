/** Which files a command writes to that otherwise only reads or fetches: what stands behind its options, or in its program. */
import type { Call } from "./Call.ts"
import { first } from "./expand.ts"

type Outputs = (texts: readonly string[]) => readonly string[]

/** Behind an option: in the same word, or the next one. The pattern ends where the value begins. */
const behind =
  (option: RegExp): Outputs =>
  (texts) =>
    texts.flatMap((text, at) => {
      const found = option.exec(text)
      if (found === null) return []
      const rest = text.slice(found[0].length)
      return [rest === "" ? (texts[at + 1] ?? "") : rest]
    })

/** Long options may be shortened. */
const longOutput = behind(/^--o(?:u(?:t(?:p(?:u(?:t(?:-[a-z]+)?)?)?)?)?)?(?:=|$)/)
const shortOutput = behind(/^-[a-zA-Z]*?o/)
const output: Outputs = (texts) => [...longOutput(texts), ...shortOutput(texts)]

/** To most of its commands `-o` means something else. */
const git: Outputs = (texts) =>
  texts.includes("archive") || texts.includes("format-patch") ? output(texts) : longOutput(texts)

/** They read the first operand and write to the second; a number belongs to an option. */
const second: Outputs = (texts) => texts.filter((text) => !/^-.|^(?:0x)?\d+$/.test(text)).slice(1)

/** More than these nobody writes into one line. */
const maxWords = 500

/** What stands behind a `w` may be the name of a file, up to the end of the line. Of a line full of them it is behind the last ones. */
const sedScript = (script: string): readonly string[] =>
  script.split("\n").flatMap((line) =>
    Array.from(line.matchAll(/[wW]/g), ({ index }) => index)
      .slice(-maxWords)
      .map((index) =>
        line
          .slice(index + 1)
          .trim()
          .replace(/\}$/, "")
          .trimEnd()
      )
  )

const sed: Outputs = (texts) => {
  const given = behind(/^--e[a-z]*(?:=|$)|^-[nErsuz]*e/)(texts)
  const scripts = given.length > 0 ? given : texts.filter((text) => !/^-|^\d+$/.test(text)).slice(0, 1)
  return scripts.flatMap(sedScript)
}

/** `print > "x"`, `print > name`, `print | "tee x"`: of a name only what it may hold is known. */
const awk: Outputs = (texts) => {
  const program = texts.find((text) => />\s*[("\w$]|\bsystem\b|\|/.test(text))
  if (program === undefined) return []
  // What stands behind `<` is read.
  const strings = [...program.matchAll(/(<\s*)?"([^"\n]*)"/g)].flatMap(([, from, text = ""]) =>
    from === undefined ? [text, ...text.split(/[\s;<>|&]+/)] : []
  )
  const variables = texts.flatMap((text) => /^(?:-v)?\w+=(.*)$/s.exec(text)?.[1] ?? [])
  const files = />[^;}\n]*\b(?:FILENAME|ARGV)\b/.test(program) ? texts.filter((text) => text !== program) : []
  return [...strings, ...variables, ...files]
}

const find: Outputs = (texts) =>
  texts.filter((_, at) => /^-(?:fprint(?:0|f)?|fls)$/.test(texts[at - 1] ?? ""))

/** `python3 -m json.tool in out`. */
const jsonTool: Outputs = (texts) => second(texts.slice(texts.indexOf("json.tool") + 1))

const fetched: Outputs = behind(/^--output(?:=|$)|^-[a-zA-Z#]*?o/)

/** Whose words say exactly which file they write: of the others only what it may be is known. */
const certain: Readonly<Record<string, Outputs>> = {
  find,
  sort: output,
  tree: output,
  uniq: second,
  xxd: second,
  curl: fetched,
  wget: behind(/^--output-document(?:=|$)|^-[a-zA-Z]*?O/),
  openssl: behind(/^-out$/),
  gpg: output,
  age: output,
  pandoc: output,
  gcc: shortOutput,
  clang: shortOutput,
  cc: shortOutput
}

/** The files of which it is certain that a command writes them. */
export const writtenFiles = ({ args, name }: Pick<Call, "args" | "name">): readonly string[] =>
  (Object.hasOwn(certain, name) ? certain[name] : undefined)?.(args.map(first)) ?? []

const byName: Readonly<Record<string, Outputs>> = {
  ...certain,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  git,
  less: behind(/^-[oO]|^--log-file(?:=|$)|^--LOG-FILE(?:=|$)/),
  eslint: output
}

export const isJsonTool = ({ args, name }: Pick<Call, "args" | "name">): boolean =>
  /^python[\d.]*$/.test(name) && first(args[0] ?? nobody) === "-m" && first(args[1] ?? nobody) === "json.tool"

const nobody = { values: [], word: [] }

/** Every path that it may write to. */
export const outputs = (call: Call): readonly string[] => {
  const texts = call.args.map(first)
  if (isJsonTool(call)) return jsonTool(texts)
  return (Object.hasOwn(byName, call.name) ? byName[call.name] : undefined)?.(texts) ?? []
}
