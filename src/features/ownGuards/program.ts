/** hooktape itself, as it is installed: whoever changes that changes every guard. */
import { realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { projectManifest, userManifest } from "../../state/manifest.ts"
import { readRegular } from "../../state/readRegular.ts"
import { stateDirectory } from "../../state/state.ts"
import { within } from "../guard/folders.ts"
import type { GuardedPlace } from "./guarded.ts"

export const programWords = "hooktape itself, as it is installed"

const installed = /\/node_modules\/(?:\.bin\/hooktape(?:\.cmd|\.ps1)?$|@?hooktape(?:\/|$))/

/** A build says which command makes it again: what is bundled with it lies beside that. */
const builtFrom = (manifest: string): string | undefined => {
  try {
    const { cli } = JSON.parse(readRegular(manifest).toString("utf8")) as { readonly cli?: unknown }
    return typeof cli === "string" ? dirname(realpathSync.native(cli)) : undefined
  } catch {
    return undefined
  }
}

/** In whichever `node_modules`, or where the builds of this place come from: a checkout that was linked. */
export const isProgram = (path: string, { env, project }: GuardedPlace): boolean => {
  if (installed.test(path)) return true
  // To read what a build says is for the few paths that may be meant.
  if (!/\/dist(?:\/|$)/.test(path)) return false
  const state = stateDirectory(env)
  return [projectManifest(state, project), userManifest(state)].some((manifest) => {
    const folder = builtFrom(manifest)
    return folder !== undefined && within(path, folder)
  })
}

const managers = /^(?:npm|pnpm|yarn|bun)$/
const adding = /^(?:i|in|ins|install|add|up|upgrade|update|link|ln|isntall)$/

const nameIn = (folder: string): string | undefined => {
  try {
    return (
      JSON.parse(readRegular(join(folder, "package.json")).toString("utf8")) as { readonly name?: string }
    ).name
  } catch {
    return undefined
  }
}

/** Not from where versions come from: a file, a folder, a repository, another package under this name. A file that is packed says its name only inside. */
const isStrange = (word: string, folder: string | undefined, manager: readonly string[]): boolean => {
  if (word.startsWith("hooktape@")) return /[:/]|\.tgz$/.test(word)
  const path = word.replace(/^(?:file|link|portal):/, "")
  if (/\.(?:tgz|tar\.gz|tar)$/.test(path))
    return (
      /hooktape/.test(path) ||
      manager.some((one) => /^(?:-g|--global|--location=global)$/.test(one)) ||
      (folder !== undefined && nameIn(join(folder, "node_modules", "hooktape")) !== undefined)
    )
  if (/^(?:ln|link)$/.test(manager[0] ?? "") && path === "hooktape") return true
  return /^[./~]/.test(path) && folder !== undefined && nameIn(join(folder, path)) === "hooktape"
}

/** A package manager that is told to put something of somebody's own in hooktape's place. */
export const replacesProgram = (
  name: string,
  words: readonly string[],
  folder: string | undefined
): boolean =>
  managers.test(name) &&
  words.some((word) => adding.test(word)) &&
  words.some((word) => isStrange(word, folder, words))
