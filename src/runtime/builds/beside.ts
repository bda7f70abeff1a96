/** What lies beside a script, which it may come to load by a name alone. The same look is taken by a build and at each call. */
import { basename, join } from "node:path"

/** Loaded where they are needed: most builds and calls have no script to look beside. */
const fs = () => process.getBuiltinModule("node:fs")

/** Declarations, tests, and what begins with a dot or an underscore are helpers beside the hooks. */
export const isHookFile = (name: string): boolean =>
  /\.[cm]?[jt]s$/.test(name) &&
  !/\.d\.[cm]?ts$/.test(name) &&
  !/\.(test|spec)\.[cm]?[jt]s$/.test(name) &&
  !/^[._]/.test(name)

/** More than this beside a script is not the hook's: each change of it would ask for consent again. */
export const maxFiles = 100

const skipped = /^(?:\.git|node_modules|__pycache__|\.venv|venv)$/

/** What no language loads by a name alone: hooks keep notes and counts beside themselves. `package.json` says how JavaScript beside it is read. */
const data = /\.(?:csv|db|gz|ini|jsonl?|lock|log|md|pid|png|sqlite|svg|te?mp|toml|tsv|txt|xml|ya?ml)$/i

export const mayBeCode = (name: string): boolean => name === "package.json" || !data.test(name)

export interface Beside {
  readonly files: Set<string>
  readonly folders: Set<string>
}

export interface Look {
  /** Folders below as well. */
  readonly isDeep: boolean
  readonly accepts: (name: string) => boolean
}

/** Folders of agents, which keep their settings and much else there. */
const agentFolder =
  /^\.(?:agents|claude|clinerules|codex|cursor|factory|gemini|github|kiro|opencode|qwen|windsurf)$/

/** What of a script's folder may be part of it: all there is, and in an agent's what may be code and lies right beside it. */
export const besideIn = (folder: string): Look =>
  agentFolder.test(basename(folder))
    ? { isDeep: false, accepts: mayBeCode }
    : { isDeep: true, accepts: () => true }

/** Regular files in a folder, without hooks that stand for themselves. */
export const lookBeside = (folder: string, look: Look, found: Beside): void => {
  const { lstatSync, readdirSync, statSync } = fs()
  found.folders.add(folder)
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    const stat = lstatSync(path)
    if (stat.isDirectory()) {
      if (look.isDeep && !skipped.test(name)) lookBeside(path, look, found)
    } else if (!isHookFile(name) && look.accepts(name) && statSync(path, { throwIfNoEntry: false })?.isFile())
      found.files.add(path)
    if (found.files.size > maxFiles) return
  }
}
