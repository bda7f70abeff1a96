/** Passwords on command lines whose flag does not say that it takes one: `mysql -psecret`, `curl -u me:secret`. */

/** Where the password stands. */
export interface Found {
  readonly start: number
  readonly end: number
}

interface Command {
  readonly name: RegExp
  /** What stands before the password, from the flag's dash on. */
  readonly flag: RegExp
  /** What stands there instead, when it is no password. */
  readonly other?: RegExp
  /** Commands whose own flag it is, where the name is one of their arguments. */
  readonly owners?: RegExp
}

/** A value stands in the next word, behind `=`, or, of a flag with one letter, in the same word. */
const commands: readonly Command[] = [
  { name: /(?<![\w-])sshpass[ \t]/g, flag: /-p[ \t=]{0,4}/y },
  {
    name: /(?<![\w-])curl[ \t]/g,
    flag: /(?:-u[ \t]{0,4}|--user[ \t=]{1,4})(?:\\*["'])?[^\s"':\\<‹]{0,128}:/y
  },
  {
    name: /(?<![\w-])(?:mysql|mariadb)[\w-]{0,20}[ \t]/g,
    // In a word of its own it would be the database.
    flag: /-p(?=[^\s-])/y,
    // `docker run --name mysql -p3306:3306`
    other: /^[\d.]*(?::\d+)+(?:\/\w+)?$/,
    owners:
      /^\s*(?:\w+=\S*\s+)*(?:sudo\s+)?(?:tar|[cm]p|mv|ls|mkdir|rm|[ef]?grep|rg|ag|find|git|np[mx]|yarn|pnpm|apt(?:-get)?|apk|brew|yum|dnf|pip3?|scp|ssh|rsync|cat|chmod|nmap|p?kill|pgrep|ps|make)\s/
  },
  { name: /(?<![\w-])(?:docker|podman)[ \t]{1,8}login[ \t]/g, flag: /-p[ \t=]{0,4}/y },
  { name: /(?<![\w-])redis-cli[ \t]/g, flag: /(?:-a[ \t]|--pass[ \t=])[ \t]{0,3}/y }
]

/** So far before its flag the command may stand. */
const near = 200
/** Of a command's name that stands there more often, the nearest. */
const mostNames = 3
const longest = 256

/** Arguments up to the flag: the end of a command in quotes, or of a line that goes on, is none. */
const sameCommand = /^(?:"[^"\n]*"|'[^'\n]*'|\\[^n]|[^\n|;&"'\\])*$/
const commandStart = /[\n;|&(`{"']|\\n/g

const isFlagOf = ({ name, owners }: Command, before: string): boolean =>
  [...before.matchAll(name)].slice(-mostNames).some((found) => {
    if (!sameCommand.test(before.slice(found.index + found[0].length))) return false
    if (owners === undefined) return true
    const ahead = before.slice(0, found.index).split(commandStart).at(-1) ?? ""
    return !owners.test(ahead)
  })

/** A variable, a placeholder, what is redacted already, another flag. */
const isNoPassword = (value: string): boolean => /^(?:[$<*{‹[%`-]|\.{3}|x{3,}$)/i.test(value)

const wordEnd = /[\s"'\\;|&)<>`]/g

const valueAt = (text: string, from: number): Found => {
  let start = from
  while (text.charCodeAt(start) === 92) start++
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    let end = ++start
    const limit = Math.min(text.length, start + longest)
    while (end < limit && text[end] !== quote && text[end] !== "\n" && text[end] !== "\\") end++
    return { start, end }
  }
  wordEnd.lastIndex = from
  const end = wordEnd.exec(text.slice(0, from + longest))?.index ?? Math.min(text.length, from + longest)
  return { start: from, end }
}

/** The password behind the flag whose dash is at `at`, if it is such a flag. */
export const commandPassword = (text: string, at: number): Found | undefined => {
  for (const command of commands) {
    command.flag.lastIndex = at
    if (!command.flag.test(text)) continue
    const found = valueAt(text, command.flag.lastIndex)
    const value = text.slice(found.start, found.end)
    if (value === "" || isNoPassword(value) || command.other?.test(value) === true) continue
    if (isFlagOf(command, text.slice(Math.max(0, at - near), at))) return found
  }
  return undefined
}
