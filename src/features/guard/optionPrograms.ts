/** Commands in the options of programs that are there for something else, where one option takes the whole command line. */

const taking = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const options: Readonly<Record<string, ReadonlySet<string>>> = {
  "gnome-terminal": taking("--command"),
  "mate-terminal": taking("--command"),
  "xfce4-terminal": taking("--command"),
  tilix: taking("--command"),
  man: taking("-P --pager -H --html"),
  bat: taking("--pager"),
  delta: taking("--pager"),
  rg: taking("--pre"),
  split: taking("--filter"),
  sort: taking("--compress-program"),
  zip: taking("-TT --unzip-command"),
  scp: taking("-S"),
  sftp: taking("-S"),
  tcpdump: taking("-z"),
  nc: taking("-e -c"),
  ncat: taking("-e -c --exec --sh-exec"),
  fzf: taking("--preview"),
  svn: taking("--editor-cmd --diff-cmd --diff3-cmd"),
  dpkg: taking("--pre-invoke --post-invoke"),
  npm: taking("--script-shell --node-options"),
  "watchman-make": taking("--run"),
  logrotate: taking("-m --mail"),
  wget: taking("--use-askpass"),
  apt: taking("-o --option"),
  "apt-get": taking("-o --option"),
  hg: taking("--config"),
  mapfile: taking("-C"),
  readarray: taking("-C")
}

/** `APT::Update::Pre-Invoke::=cmd`, `alias.x=!cmd`: of a setting what it starts. */
const setting = /^(?:[\w:-]+-Invoke::=|(?:alias|hooks|ui|extdiff)\.[\w.-]+=!?)(.+)/s

/** `--bind 'start:execute(cmd)'` of fzf. */
const bound = /\b(?:execute(?:-silent)?|become|reload(?:-sync)?|preview)[([{:](.+?)[)\]}]?$/s

export const optionPrograms = (name: string, texts: readonly string[]): readonly string[] => {
  const known = Object.hasOwn(options, name) ? options[name] : undefined
  if (known === undefined) return []
  return texts.flatMap((text, at) => {
    const before = texts[at - 1] ?? ""
    const equals = text.indexOf("=")
    const attached = text.startsWith("--") && equals > 0 && known.has(text.slice(0, equals))
    if (name === "fzf" && (before === "--bind" || text.startsWith("--bind=")))
      return [bound.exec(text)?.[1] ?? ""]
    const value = attached ? text.slice(equals + 1) : known.has(before) ? text : undefined
    if (value === undefined) return []
    return /^(?:apt(?:-get)?|hg)$/.test(name) ? [setting.exec(value)?.[1] ?? ""] : [value]
  })
}

/** Lines of what an editor or a client of a database reads that start a shell: `!cmd`, `r !cmd`, `\! cmd`, `.shell cmd`, `system cmd`. */
const line: Readonly<Record<string, RegExp>> = {
  ed: /^[\d,$.%]*\s*(?:[rwe]\s*)?!(.+)/,
  red: /^[\d,$.%]*\s*(?:[rwe]\s*)?!(.+)/,
  ex: /^:?[\d,$.%]*\s*(?:[rwe]\s*)?!(.+)/,
  vi: /^:?[\d,$.%]*\s*(?:[rwe]\s*)?!(.+)/,
  vim: /^:?[\d,$.%]*\s*(?:[rwe]\s*)?!(.+)/,
  nvim: /^:?[\d,$.%]*\s*(?:[rwe]\s*)?!(.+)/,
  psql: /^\s*\\!\s*(.+)/,
  mysql: /^\s*(?:\\!|system)\s+(.+)/,
  mariadb: /^\s*(?:\\!|system)\s+(.+)/,
  sqlite3: /^\s*\.(?:shell|system)\s+(.+)/,
  ftp: /^\s*!(.+)/,
  lftp: /^\s*!(.+)/,
  sftp: /^\s*!(.+)/,
  gnuplot: /^\s*!(.+)/,
  dc: /^\s*!(?![<>=])(.+)/,
  gdb: /^\s*(?:shell|!)\s*(.+)/
}

export const readsCommands = (name: string): boolean => Object.hasOwn(line, name)

export const commandLines = (name: string, text: string): readonly string[] => {
  const pattern = Object.hasOwn(line, name) ? line[name] : undefined
  return pattern === undefined ? [] : text.split("\n").flatMap((one) => pattern.exec(one)?.[1] ?? [])
}
