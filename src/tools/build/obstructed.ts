/** Tells a hook file that was deleted from one that something else took the place of. */
import { lstatSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { folderOf } from "../../state/manifest.ts"
import type { Level } from "./gather.ts"

const isThere = (path: string): boolean => {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT"
  }
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Why a trusted hook file is none now although nobody deleted it; undefined where nothing is in its place. */
export const obstructedBy = ({ directory, refused }: Level, file: string): string | undefined => {
  const folders = [folderOf(directory), dirname(file)]
  const refusal = refused.find((one) => one.file === file || folders.includes(one.file))
  if (refusal !== undefined) return refusal.reason
  const folder = folders.find((one) => isThere(one) && !isFolder(one))
  if (folder !== undefined) return "its folder is none any more"
  return isThere(file) ? "is no hook file any more" : undefined
}
