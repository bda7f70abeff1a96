/** Variables whose value some program runs: an editor, a pager, a transport. What is set there is read as the command line it is. */

const commands = new Set(
  (
    "EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND FCEDIT HGEDITOR SVN_EDITOR SUDO_EDITOR SUDO_ASKPASS " +
    "SSH_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS " +
    "GH_EDITOR GH_PAGER GH_BROWSER PSQL_PAGER PSQL_EDITOR SYSTEMD_PAGER SYSTEMD_EDITOR KUBE_EDITOR BAT_PAGER DELTA_PAGER AWS_PAGER " +
    "RSYNC_RSH CVS_RSH FZF_DEFAULT_COMMAND RIPGREP_PRE NPM_CONFIG_EDITOR RUSTC_WRAPPER CARGO_BUILD_RUSTC_WRAPPER"
  ).split(" ")
)

/** Settings of git that name a program. */
const program =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager\.[\w-]+|sequence\.editor|diff\.external|(?:diff|merge|filter)\.[^=]+\.(?:command|driver|clean|smudge|process)|credential\.helper|alias\.[\w-]+|gpg\.program|uploadpack\.packobjectshook)=(.+)$/is

/** The program that a setting of git names, as a command line. */
export const settingCommand = (setting: string): string | undefined => {
  const value = program.exec(setting)?.[1]
  if (value === undefined) return undefined
  if (/^(?:alias|credential)\./i.test(setting) && !value.startsWith("!")) return undefined
  return value.replace(/^!/, "")
}

/** `'a.b=c' 'd.e'='f'`, as git hands settings on to the git that it starts. */
export const handedSettings = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/'([^'=]+)'='([^']*)'|'([^']+)'/g),
    ([, key, value, whole]) => whole ?? `${key}=${value}`
  )

/** Files that a shell reads before all else. */
export const isReadFirst = (name: string): boolean => name === "BASH_ENV" || name === "ENV"

export const runs = (name: string): boolean =>
  name === "GIT_CONFIG_PARAMETERS" || commands.has(name) || isReadFirst(name)

/** What will be run of what is set. */
export const runCommands = (name: string, values: readonly string[]): readonly string[] => {
  if (name === "GIT_CONFIG_PARAMETERS")
    return values.flatMap(handedSettings).flatMap((setting) => settingCommand(setting) ?? [])
  if (!commands.has(name)) return []
  return values.map((value) => (name.startsWith("LESS") ? value.replace(/^\|{1,2}-?/, "") : value))
}
