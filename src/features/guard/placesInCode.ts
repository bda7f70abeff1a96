/** How a program of another language asks for the home directory and the like, as a part of an expression and in the middle of a text. */
import type { Around } from "./around.ts"

const variable = `["'\`]?(?:HOME|USERPROFILE)["'\`]?`

/** What is asked, each from where its own name begins up to where the question ends. */
const home = [
  String.raw`homedir\(\s?\)`,
  String.raw`userInfo\(\s?\)\.homedir`,
  String.raw`Path\.home\(\s?\)`,
  String.raw`Dir\.home\b(?:\(\s?\))?`,
  String.raw`(?:env|ENV)\.(?:HOME|USERPROFILE)\b`,
  String.raw`(?:env(?:iron)?|ENV|_SERVER|_ENV)\[${variable}\]`,
  String.raw`ENV\{${variable}\}`,
  String.raw`(?:env(?:iron)?\.get|ENV\.fetch|[gG]et_?[eE]nv|getProperty|get_env)\(\s?["'](?:HOME|USERPROFILE|user\.home)["'][^()\n]{0,40}\)`,
  String.raw`NSHomeDirectory\(\)`,
  String.raw`System\.user_home!?(?:\(\))?`
].join("|")

const current = String.raw`process\.cwd\(\)|\bgetcwd\(\)|Path\.cwd\(\)|Dir\.(?:pwd|getwd)\b|Deno\.cwd\(\)`
const own = String.raw`__dirname\b`
const temporary = String.raw`tmpdir\(\)|gettempdir\(\)|Dir\.tmpdir\b|sys_get_temp_dir\(\)|File::Spec->tmpdir\b`

/** The library that is asked, called in the same breath: `require("os").homedir()`. */
const library = String.raw`require\(\s?["'\`](?:node:)?os["'\`]\s?\)\.`

/** What stands before the question is part of it, up to the beginning of a chain of names. */
const asked = (questions: string): string =>
  String.raw`(?<![\w$.])(?:${library}|\$?[\w$.:]{0,40}?)(?:${questions})`

const askedHere = new RegExp(
  `${asked(home)}|(?:(?<current>${asked(current)})|(?<own>${asked(own)})|(?<temporary>${asked(temporary)}))(?=\\s?[+.]\\s?["'\`])`,
  "y"
)

interface Asked {
  /** As a shell would name it. */
  readonly path: string
  readonly end: number
}

/**
 * The directory that is asked for at this place, and where the question ends. All but the home directory are as good as nothing, unless
 * the rest of a path is put to them: `tmpdir() + "/x"`. Where nobody can tell which one it is, only that rest is read.
 */
export const placeAt = (text: string, at: number, around: Around): Asked | undefined => {
  askedHere.lastIndex = at
  const found = askedHere.exec(text)
  if (found === null) return undefined
  const path = pathOf(found.groups ?? {}, around)
  return path === undefined ? undefined : { path, end: at + found[0].length }
}

const pathOf = (
  { current, own, temporary }: Readonly<Record<string, string | undefined>>,
  around: Around
): string | undefined => {
  if (current !== undefined) return around.isHere ? "." : undefined
  if (own !== undefined) return around.hasNoFile ? "." : undefined
  return temporary === undefined ? "~" : around.temporary
}

const expanded = String.raw`[\w.]{0,20}expanduser\(\s?["']~["']\s?\)`

/** `"$ENV{HOME}/x"`, `${os.homedir()}/x`, `#{Dir.home}/x`, `{Path.home()}/x`, `{os.path.expanduser('~')}/x`, `"$_SERVER[HOME]/x"`. */
const interpolated = new RegExp(
  String.raw`\$ENV\{${variable}\}|\$_(?:SERVER|ENV)\[${variable}\]|[$#]?\{\s?(?:${asked(home)}|${expanded})\s?\}`,
  "g"
)

export const withHomeIn = (text: string): string => text.replaceAll(interpolated, "~")

/** More names for it nobody gives. */
const maxNames = 40

const assigned = new RegExp(
  String.raw`(?<![\w$.])\$?([A-Za-z_]\w{0,40})\s?:?=\s?(?:str\(\s?)?(?:${asked(home)}|${expanded})\s?\)?\s?(?=[;,\n]|$)`,
  "g"
)

/** Names that stand for what deletes, writes or starts, or for what a program is written in: as a name for a directory they only mislead. */
const meansMore = new Set(
  (
    "fs os process path Path Deno Bun shutil subprocess pathlib child_process fsPromises promises require import from const let var my our " +
    "for in of if do return new await async def function recursive force true false null None True system popen exec spawn call run shell " +
    "sh Command File Files FileUtils Dir IO Open3 Kernel System glob Find find sub unlink rm rmdir rimraf trash open ENV env environ HOME"
  ).split(" ")
)

/** What is asked of a directory that is still one. */
const parts = "joinpath|r?glob|iterdir|to_s|as_posix|resolve"

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0

/** Names that are given the home directory, and nothing else besides. */
const homeNames = (text: string): readonly string[] => {
  const all = Array.from(text.matchAll(assigned), ([, name = ""]) => name)
  const names = [...new Set(all)]
  if (names.length > maxNames) return []
  return names.filter(
    (name) =>
      !meansMore.has(name) &&
      countOf(new RegExp(String.raw`(?<![\w$.])\$?${name}\s?:?=(?![=>])`, "g"), text) <=
        all.filter((one) => one === name).length
  )
}

/**
 * The program with the home directory asked for wherever a name stands that it was given: `h = Path.home(); rmtree(h / "x")`. What is
 * called, or has something called of it, is something else of that name, and so is a key.
 */
export const withHomeNamed = (text: string): string => {
  const names = homeNames(text)
  if (names.length === 0) return text
  const name = `(?:${names.join("|")})`
  const inText = new RegExp(String.raw`[$#]?\{\s?\$?${name}\s?\}|\$${name}\b`, "g")
  const quotedOrName = new RegExp(
    String.raw`(["'\`])(?:\\.|(?!\1)[^\\\n]){0,400}\1|(?<![\w$.'"])\$?${name}\b(?!\s*:?=(?!=)|["']|\s*(?:\?\.\s*)?[([]|\s*:|\s*\??\.\s*(?!(?:${parts})\b)[A-Za-z_])`,
    "g"
  )
  return text.replaceAll(quotedOrName, (found, quote, at: number) => {
    if (quote !== undefined) return found.replaceAll(inText, "~")
    return isShorthand(text, at, at + found.length) ? found : "homedir()"
  })
}

/** `{ recursive: true, home }`: a key among others that has its value's name. */
const isShorthand = (text: string, start: number, end: number): boolean => {
  const before = text.slice(Math.max(0, start - 100), start)
  const behind = text.slice(end, end + 100)
  return (
    (/\{[^{}()[\]]*\w\s?:[^{}()[\]]*,\s?$/.test(before) && /^\s?[,}]/.test(behind)) ||
    (/\{\s?$/.test(before) && /^\s?,\s?\w{1,40}\s?:/.test(behind))
  )
}

const handed = new RegExp(
  String.raw`(?<=[{,]\s?)["']?(?:HOME|USERPROFILE)["']?\s?:\s?(?:str\(\s?)?(?:${asked(home)}|${expanded})\s?\)?(?=\s?[,}])`,
  "g"
)
/** It is asked for again, of what it was put into. */
const askedBack = /[)}\]]\s?(?:\?\.)?\s?[.[]?\s?["'`]?(?:HOME|USERPROFILE)\b/

/** Without what another program is handed as its `HOME`: nothing is done to that. */
export const withoutHomeHanded = (text: string): string =>
  askedBack.test(text) ? text : text.replaceAll(handed, "")
