/** The shell that scripts of a package are run by, where a setting names another than the system's. */
import { isWithin } from "../../../state/within.ts"

/** Files beside a package, or further up, that may name it. */
const settings: Readonly<Record<string, RegExp>> = {
  ".npmrc": /^[ \t]*script-shell[ \t]*=[ \t]*(.+)$/m,
  ".yarnrc": /^[ \t]*(?:--)?script-shell[ \t]+(.+)$/m,
  "pnpm-workspace.yaml": /^["']?scriptShell["']?:[ \t]+(.+)$/m
}
export const shellSettings = Object.keys(settings)

export const shellIn = (name: string, text: string): string | undefined => {
  const [, value] = settings[name]?.exec(text) ?? []
  return value
    ?.replace(/[ \t]#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
}

const common = /^(?:(?:ba|da|z|k|a|fi)?sh|nu|pwsh|powershell|cmd)$/i

/** One that comes with the system: by its name alone, or from outside the project. */
export const isSystemShell = (shell: string, project: string): boolean => {
  if (/^(?:null|true|false|)$/.test(shell) || /^\$(?:SHELL|\{SHELL\})$/.test(shell)) return true
  if (shell.startsWith("/")) return !isWithin(shell, project)
  const name = shell.slice(shell.search(/[^/\\]*$/)).replace(/\.exe$/i, "")
  return common.test(name) && (name === shell.replace(/\.exe$/i, "") || /^(?:[A-Za-z]:|%|\$)/.test(shell))
}
