/** Planted: a machine that reads the disk. */
import { readFileSync } from "node:fs"

export const decide = (path: string) => readFileSync(path)
