/** Where a check is run, as its command line says: of another folder or package it is another check. Pure. */
import { resolve } from "node:path"
import { programsIn } from "../checkpoints/commands.ts"

export interface CheckPlace {
  /** The folders that were gone into before it, as they were written; empty where none was. */
  readonly cd: string
  /** The options that name a folder or a package. */
  readonly option: string
}

const option = /(?:^| )(--(?:prefix|workspace|filter|cwd|dir|directory|manifest-path)|-C)[ =](\S+)/g
const ofNpm = /^npm .*?(?:^| )(-w)[ =](\S+)/g

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, "$2")

export const placeIn = (command: string, check: string): CheckPlace => {
  const programs = programsIn(command)
  const at = programs.indexOf(check)
  const folders = programs
    .slice(0, Math.max(0, at))
    .flatMap((program) => /^(?:cd|pushd) (?:-- )?(.+)$/.exec(program)?.[1] ?? [])
    .map(unquoted)
  const options = [...check.matchAll(option), ...check.matchAll(ofNpm)]
    .map(([, name, value]) => `${name === "-w" ? "--workspace" : name} ${value}`)
    .sort()
  return { cd: folders.reduce((path, next) => resolved(path, next), ""), option: options.join(" ") }
}

const resolved = (path: string, next: string): string =>
  path === "" || /^(?:[\\/]|[A-Za-z]:)/.test(next) ? next : `${path}/${next}`

/** The folder it is run in, as far as that is known. */
export const folderOf = ({ cd }: CheckPlace, base: string | null): string => resolve(base ?? "/", cd)
