/**
 * What a program of another language does, as far as its text says it: the commands that it starts and the files that it deletes
 * or writes, as lines of a shell. Nothing is executed; each pattern looks only a little way ahead.
 */
import { quoted } from "../../state/shellWord.ts"
import type { Around } from "./around.ts"
import { runsFetched } from "./fetchedCode.ts"
import { chooses, matchedAt } from "./matchedInCode.ts"
import { judgeDocuments, judgeSql } from "./packs/sql.ts"
import { placeAt, withHomeIn, withHomeNamed, withoutHomeHanded } from "./placesInCode.ts"
import { withPlainQuotes } from "./quotedInCode.ts"
import type { RuleId } from "./rule.ts"
import { sdkCall } from "./sdkCalls.ts"
import { sendsSecret } from "./sentByCode.ts"

export interface Told {
  /** Shell commands that come to the same. */
  readonly commands: readonly string[]
  readonly found?: { readonly rule: RuleId; readonly does: string }
}

const maxText = 60_000
const maxCalls = 400
/** More texts than these no call is given. */
const maxTexts = 1000
/** No system opens a longer path. */
const longestPath = 4096
/** So far a call is looked at, without its texts and blanks; all of them together so far. */
const near = 4000
const nearInAll = 400_000

const starts =
  /\b(?:system|popen[234]?|exec(?:Sync|File|FileSync|l|le|lp|v|ve|vp|a|aSync)?|spawn(?:Sync|l|lp|v|vp)?|subprocess\.\w+|run|call|check_call|check_output|getoutput|getstatusoutput|Popen|shell_exec|passthru|proc_open|shell|Command|create_subprocess_\w+|os\.execute|System\.cmd)\s?\(\s?|\b(?:system|exec|qx|spawn|callCommand|callProcess|sh|call-process|start-process|run-program|shell-command(?:-to-string)?)\s{1,3}(?=["'])|os:cmd\(|\bdo shell script\s/g
const backquoted = /%x[({[]([^)}\]]{1,400})[)}\]]|\bqx[({/|]([^)}/|]{1,400})|`([^`]{1,400})`/g
/** In a language that has no other use for it. */
const longBackquoted = /%x[({[]([^)}\]]+)[)}\]]|\bqx[({/|]([^)}/|]+)|`([^`]+)`/g
const deletes =
  /\b(?:rmtree|rmSync|rmdirSync|fs\.rm\b|fsPromises\.rm\b|promises\.rm\b|rmdir|rimraf(?:\.sync|Sync)?|rm_rf!?|rm_r|remove_dir|remove_entry_secure|remove_tree|removeSync|emptyDirSync|removedirs|remove_dir_all|delete_tree|removeItem|Deno\.remove(?:Sync)?|deleteDirectory|deleteRecursively|delete-(?:directory(?:-tree|-recursively)?|tree)|trash)\s?\(?\s?/g
/** Of a path that stands before it: `new File(…).deleteDir()`. */
const deletedBefore =
  /\b(?:File|Path|Paths\.get|Path\.of)\s?\((?=.{1,200}?\)\s?\.(?:deleteDir|deleteRecursively|rmtree)\()/gs
/** `unlink(x, recursive = TRUE)` of R, `rm(x, recursive=true)` of Julia. */
const namedRecursive = /\b(?:unlink|rm)\s?\((?=[^;\n]{1,200}\brecursive\s?=\s?(?:T\b|TRUE|true))/g
/** What a loop goes through. */
const walked =
  /\b(?:os\.walk|os\.listdir|os\.scandir|glob\.i?glob|iglob|readdirSync|readdir|Dir\.(?:glob|children|each_child|entries|foreach)|Find\.find|opendir|scandir)\s?\(?\s?|\bDir\[|(?<!\.)\bglob\s?\(?\s?(?=["~])/g
const goesThrough = new RegExp(`^(?:${walked.source})`)
/** `Path.home().rglob("*")`, of which each is deleted by a method without a name. */
const walkedPath = /\bPath(?:\.home)?\((?=[^;\n]{0,200}\.(?:r?glob|iterdir)\()/g
const deletesEach = /\.(?:unlink|rmdir)\(\s?(?:missing_ok\s?=\s?\w+\s?)?\)/
/** `find(sub { unlink }, $dir)` of Perl. */
const deletesFound = /\bfind\s?\(\s?sub\s?\{[^}]{0,200}\b(?:unlink|rmdir)\b[^}]{0,200}\}\s?,\s?/g
/** Something is deleted whose name only the run tells. */
const deletesUnnamed =
  /\b(?:os\.remove|os\.unlink|unlink(?:Sync)?|File\.delete|FileUtils\.\w+|rmtree|rmSync|rm_rf|rmdir|remove_tree)\s?\(?\s?(?!["'`/~])[\w$]/
/** What is given each of a list of files. */
const mapped = /\barray_map\(\s?["'](?:unlink|rmdir)["']\s?,\s?/g
const unlinks =
  /\b(?:delete-file|os\.remove|unlink(?:Sync)?|os\.unlink|File\.delete|FileUtils\.rm_?f?)\s?\(?\s?/g
const writes =
  /\b(?:open|File\.open|fopen|writeFile(?:Sync)?|appendFile(?:Sync)?|file_put_contents|File\.write|truncate(?:Sync)?|Bun\.write|write_text|IO\.write|Deno\.writeTextFile(?:Sync)?)\s?\(?\s?/g
const moves =
  /\b(?:shutil\.move|os\.rename|os\.replace|renameSync|fs\.rename|File\.rename|FileUtils\.mv)\s?\(?\s?/g
/** `rm` of `fs/promises` by its bare name: what is made of many things in other languages. */
const bareRm = /\brm\s?\((?=[^;\n]{1,200}\brecursive\b)/g
const literal = /[rbfuRBFU]{0,2}("""|'''|["'`])((?:\\.|(?!\1)[^\\])*?)\1/y
const home =
  /expanduser\(|Path\.home\(|homedir\(|\b(?:env(?:iron)?|ENV|_SERVER)(?:\.get)?[.[({]{1,2}["']?(?:HOME|USERPROFILE)|Dir\.home|getenv\(\s?["'](?:HOME|USERPROFILE)|user\.home|NSHomeDirectory\(|homeDirectoryForCurrentUser|System\.user_home/
const hides =
  /\b(?:exec|eval|compile|Function|loads|instance_eval|vm\.run\w*|__import__|system|run|spawn|assert)\s?\(?.{0,80}?(?:b64decode|b32decode|atob\(|fromCharCode|["']base64["']|unhexlify|fromhex|decompress|rot13|unpack\(?["']m|decode64|base64_decode|gzinflate|str_rot13|chr\()/s
/** What joins two texts to one, with the end of what the first of them was made by, `str(a) + b`; and two parts to a path: `a / b`. */
const joins = /^\s?\)?\s?(?:\+|\.{1,2}|<>|(\/))\s?$/

interface Program {
  readonly text: string
  readonly around: Around
  /** Told where there is more of something than is looked at. */
  readonly passOver: () => void
  /** So much of calls may still be looked at. */
  readonly left: { calls: number }
}

interface Named {
  readonly text: string
  /** Of another argument than the one before it. */
  readonly isApart: boolean
}

interface Expression {
  readonly named: readonly Named[]
  readonly end: number
}

/** The texts and directories that something is called with, from behind its bracket up to where it closes. */
const expressionAt = ({ around, left, passOver, text }: Program, start: number): Expression => {
  const found: Named[] = []
  let end = Math.min(text.length, start + near)
  // What stands in brackets may go on in the next line.
  const isInside = /[([]\s?$/.test(text.slice(Math.max(0, start - 2), start))
  let isApart = false
  let behind = start
  const add = (given: string, at: number): void => {
    const before = found.at(-1)
    const joined = at - behind < 6 ? joins.exec(text.slice(behind, at)) : null
    if (before !== undefined && joined !== null)
      found[found.length - 1] = { ...before, text: `${before.text}${joined[1] ?? ""}${given}` }
    else found.push({ text: given, isApart })
    isApart = false
  }
  let at = start
  for (let depth = 0; at < text.length; ) {
    if (at >= end || found.length >= maxTexts || --left.calls < 0) {
      passOver()
      break
    }
    const place = placeAt(text, at, around)
    literal.lastIndex = at
    const match = place === undefined ? literal.exec(text) : null
    if (place !== undefined || match !== null) {
      const from = at
      add(place?.path ?? withHomeIn((match?.[2] ?? "").replaceAll(/\\(["'`\\/$])/g, "$1")), at)
      at = place?.end ?? at + (match?.[0].length ?? 0)
      end += at - from
      behind = at
      continue
    }
    const comment = text.startsWith("/*", at) ? text.indexOf("*/", at + 2) : -1
    if (comment >= 0) {
      end += comment + 2 - at
      at = comment + 2
      continue
    }
    const char = text[at] as string
    if (char === ";" || (char === "\n" && !isInside)) break
    if (/\s/.test(char)) end++
    if (char === "(" || char === "[") depth++
    if ((char === ")" || char === "]") && --depth < 0) break
    if (char === "," && depth === 0) isApart = true
    at++
  }
  return { named: found, end: at }
}

const literalsAt = (program: Program, start: number): readonly string[] =>
  expressionAt(program, start).named.map((one) => one.text)

const single = (path: string): string => {
  const [, tilde = "", rest = ""] = /^(~\/?)?(.*)$/s.exec(path) ?? []
  return `${tilde}${quoted(rest)}`
}

/** The path that an expression comes to, where its words say so. `alone`: it is the first of several arguments. */
const pathAt = (program: Program, start: number, alone = false): string | undefined => {
  const { end, named } = expressionAt(program, start)
  const behind = alone ? named.findIndex((one, at) => at > 0 && one.isApart) : -1
  const [first, ...more] = (behind < 0 ? named : named.slice(0, behind)).map((one) => one.text)
  const isHome = home.test(program.text.slice(start, Math.min(end, start + 120)))
  const isNamed = /^(?:HOME|USERPROFILE|user\.home)$/.test(first ?? "")
  const parts = isNamed ? more : [first, ...more]
  if (!isHome) return first
  const path = parts.filter((part) => part !== undefined && !/^(?:utf-?8|[rwa]b?\+?)$/.test(part)).join("/")
  if (isNamed) return `~/${path.replace(/^\/+/, "")}`
  return path.startsWith("~") || path.startsWith("/") ? path : `~/${path}`
}

/** A name that stands where a path is expected. */
const variable = /\$?([A-Za-z_]\w*)\s?[,)]/y

/** The literals that a loop over them, a comprehension or an assignment gives a name. */
const valuesOf = (name: string, program: Program): readonly string[] => {
  const { text } = program
  const given = new RegExp(
    `\\bfor\\s\\(?(?:const |let |var |my )?\\$?${name}\\s(?:in|of)\\s|(?<![\\w.$])\\$?${name}\\s?=\\s?`,
    "g"
  )
  const found: string[] = []
  const isUnnamed = deletesUnnamed.test(text)
  each(given, program, (end) => {
    const start = /^[[(]/.test(text.slice(end)) ? end + 1 : end
    const matched = matchedAt(text, end)
    // What is in a folder is looked at where that is gone through.
    if (isUnnamed && goesThrough.test(text.slice(end, end + 100))) return
    found.push(...(matched === undefined ? literalsAt(program, start) : [matched]))
  })
  return found
}

/** The paths that an expression comes to. */
const pathsAt = (program: Program, start: number): readonly string[] => {
  variable.lastIndex = start
  const name = variable.exec(program.text)?.[1]
  if (name !== undefined) return valuesOf(name, program)
  const path = pathAt(program, start)
  return path === undefined ? [] : [path]
}

const each = (
  pattern: RegExp,
  { passOver, text }: Program,
  see: (end: number, match: RegExpMatchArray) => void
): void => {
  let seen = 0
  for (const match of text.matchAll(pattern)) {
    if (++seen > maxCalls) {
      passOver()
      return
    }
    see(match.index + match[0].length, match)
  }
}

const filesOf = (program: Program): readonly string[] => {
  const { text } = program
  const commands: string[] = []
  const add = (how: string, path: string | undefined, behind = ""): void => {
    if (path !== undefined && path !== "" && path.length <= longestPath)
      commands.push(`${how} ${single(path)}${behind}`)
  }
  const addAll = (how: string) => (end: number) => {
    for (const path of pathsAt(program, end)) add(how, path)
  }
  // What is deleted of it is asked for its name first.
  const addWalked = (path: string | undefined): void =>
    chooses.test(text) ? add("find", path, " -name chosen -delete") : add("rm -rf", path)
  each(deletes, program, addAll("rm -rf"))
  if (/\bfs(?:\/promises|-extra)?["']/.test(text)) each(bareRm, program, addAll("rm -rf"))
  each(deletedBefore, program, addAll("rm -rf"))
  each(unlinks, program, addAll("rm"))
  each(mapped, program, (end) => {
    // What it fits is chosen by a pattern, and may be anything.
    for (const path of pathsAt(program, end)) add(/[*?]/.test(path) ? "rm -rf" : "rm", path)
  })
  each(namedRecursive, program, addAll("rm -rf"))
  // What it deletes is below what it goes through.
  if (deletesUnnamed.test(text))
    each(walked, program, (end) => {
      for (const path of pathsAt(program, end)) addWalked(path)
    })
  if (deletesEach.test(text))
    each(walkedPath, program, (end, [name]) =>
      addWalked(matchedAt(text, end - name.length) ?? pathAt(program, end - name.length))
    )
  each(deletesFound, program, addAll("rm -rf"))
  each(/\bPath\(\s?/g, program, (end) => {
    const tail = text.slice(end, end + 200)
    if (/^["'][^"']*["']\)(?:\.expanduser\(\))?\.(?:unlink|rmdir)\(/.test(tail))
      add("rm", literalsAt(program, end)[0])
    if (/^["'][^"']*["']\)(?:\.expanduser\(\))?\.write_/.test(tail))
      add("echo . >", literalsAt(program, end)[0])
  })
  each(moves, program, (end) => {
    const [from, to] = literalsAt(program, end)
    if (from !== undefined && to !== undefined) commands.push(`mv ${single(from)} ${single(to)}`)
  })
  each(writes, program, (end, [name]) => {
    const [path, mode = ""] = literalsAt(program, end)
    const isOpen = /open/i.test(name)
    if (isOpen && !/^[wax>+]/.test(mode)) return
    const isAdding = /^a|^>>/.test(isOpen ? mode : "") || /append/.test(name)
    // Whoever writes writes something: only a file that is cut to no length is emptied.
    const printed = /^truncate/.test(name) ? ":" : "echo ."
    add(`${printed} ${isAdding ? ">>" : ">"}`, pathAt(program, end, true) ?? path)
  })
  return commands
}

/** Of the words of a command, the home directory where the program asks the system for it. */
const withHome = (words: readonly string[], behind: string): readonly string[] => {
  const isName = (word: string): boolean => word === "HOME" || word === "USERPROFILE"
  if (words.some((word) => /(?:^|\s)~/.test(word)) || !home.test(behind.split(/[;\n]/, 1)[0] ?? ""))
    return words
  return words.some(isName) ? words.map((word) => (isName(word) ? "~" : word)) : [...words, "~"]
}

/** `passOver`: told where not all of it is read. `isScript`: of JavaScript, where texts stand between backquotes. */
export const readCode = (given: string, around: Around, passOver: () => void, isScript = false): Told => {
  if (given.length > maxText) passOver()
  const text = withoutHomeHanded(withHomeNamed(withPlainQuotes(given.slice(0, maxText))))
  const program = { text, around, passOver, left: { calls: nearInAll } }
  const commands: string[] = []
  each(starts, program, (end) => {
    const words = literalsAt(program, end)
    if (words.length > 0) commands.push(withHome(words, text.slice(end, end + near)).join(" "))
  })
  each(isScript ? backquoted : longBackquoted, program, (_, match) =>
    commands.push(match[1] ?? match[2] ?? match[3] ?? "")
  )
  commands.push(...filesOf(program))
  if (/\bkill(?:pg)?\s?\(\s?-?[01]\b/.test(text)) commands.push("kill -9 -1")
  return { commands, ...foundIn(program) }
}

/** A connection of one's own, and a shell for it. */
const connects =
  /\bsocket\.(?:socket|create_connection)\b|\bTCPSocket\b|\bfsockopen\b|\buse Socket\b|\bIO::Socket\b|\bnet\.(?:connect|createConnection|Socket)\b|\bSockets\.TCPClient\b/
const namesShell = /["'`](?:\/\S{0,20}\/)?(?:ba|z|da|k)?sh(?: -\w+)?["'` ]|\bcmd\.exe\b|\bpty\.spawn\b/

const foundIn = (program: Program): Pick<Told, "found"> => {
  const { text } = program
  if (runsFetched(text))
    return { found: { rule: "remote-code", does: "runs what was fetched from the network, unread" } }
  if (connects.test(text) && namesShell.test(text))
    return {
      found: { rule: "remote-code", does: "gives a shell of this machine to whoever is at the other end" }
    }
  if (hides.test(text))
    return {
      found: { rule: "hidden-code", does: "runs what was decoded on the way, so that nobody can read it" }
    }
  if (
    /\b(?:while|loop|for)\b.{0,40}\bfork\b/s.test(text) &&
    /while\s?\(?\s?(?:True|1|true)|loop|for\s?\(;;\)/.test(text)
  )
    return { found: { rule: "fork-bomb", does: "starts itself without end" } }
  if (sendsSecret(text)) return { found: { rule: "secrets", does: "sends a secret over the network" } }
  const called = sdkCall(text)
  if (called !== undefined) return { found: called }
  let does: string | undefined
  if (!/:memory:|[_/-]test\b/.test(text))
    each(
      /\b(?:execute(?:script|many)?|query|exec|raw|\$executeRawUnsafe|\$queryRawUnsafe|run|text|executeSql|execSQL|do|prepare)\s?\(\s?/g,
      program,
      (end) => {
        does ??= literalsAt(program, end)
          .map(judgeSql)
          .find((one) => one !== undefined)
      }
    )
  does ??= /mongo/i.test(text) ? judgeDocuments(text) : undefined
  if (/\b(?:flushall|flushdb)\s?\(/i.test(text)) does ??= "deletes every key"
  return does === undefined ? {} : { found: { rule: "databases", does } }
}
