/** What a project's own tool loads when it starts: the program, its package, and what that package needs. */
import { dirname, join, resolve } from "node:path"
import { namesIn } from "../../state/namesIn.ts"
import { readRegular } from "../../state/readRegular.ts"
import {
  foldersAbove,
  isThere,
  manifestOf,
  packageAbove,
  withDependencies
} from "../../trust/installedPackages.ts"
import { type OwnCode, prettierCode } from "./prettierCode.ts"

const packageNames = { biome: "@biomejs/biome", prettier: "prettier" } as const

/** A package manager may put a shell script into `.bin`, which starts the program by a path of its own. */
const startedBy = (program: string): readonly string[] => {
  const text = readRegular(program).toString("latin1").slice(0, 65_536)
  if (!text.startsWith("#!/bin/sh")) return []
  const targets = [...text.matchAll(/\$basedir\/([^"'\s]+)/g)].map(([, path = ""]) =>
    resolve(dirname(program), path)
  )
  return targets.filter(isThere)
}

const isPlugin = /^(prettier-plugin-|@prettier\/plugin-|@[^/]+\/prettier-plugin-)/

/** Prettier 2 loads every plugin that is installed where it is. */
const pluginsBeside = (prettier: string): readonly string[] => {
  if (!/^[012]\./.test(String(manifestOf(prettier)["version"] ?? "0."))) return []
  return foldersAbove(dirname(prettier))
    .map((above) => join(above, "node_modules"))
    .flatMap((modules) =>
      namesIn(modules)
        .flatMap((name) =>
          name.startsWith("@") ? namesIn(join(modules, name)).map((one) => `${name}/${one}`) : name
        )
        .filter((name) => isPlugin.test(name))
        .map((name) => join(modules, name))
    )
}

export interface ToolCode {
  /** To be asked about: installed, or brought by the repository. */
  readonly code: readonly string[]
  /** Of the repository beyond doubt. */
  readonly own: readonly OwnCode[]
}

/** `folder`: whose tool it is, and in which it is run. */
export const toolCode = (
  name: keyof typeof packageNames,
  program: string,
  folder: string,
  file: string
): ToolCode => {
  const home = packageAbove(packageNames[name], folder)
  const configured = name === "prettier" ? prettierCode(file, folder) : { packages: [], own: [] }
  const beside = name === "prettier" && home !== undefined ? pluginsBeside(home) : []
  const packages = withDependencies([
    ...(home === undefined ? [] : [home]),
    ...beside,
    ...configured.packages
  ])
  return { code: [program, ...startedBy(program), ...packages], own: configured.own }
}
