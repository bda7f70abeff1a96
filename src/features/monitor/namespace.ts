/** Whose findings these are: of a project, known by what it holds, or nobody's in particular. */
import { existsSync } from "node:fs"
import { basename, join } from "node:path"

const indicators = [".git", "pyproject.toml", "package.json", "Cargo.toml", "go.mod"]

export const namespaceOf = (directory: string): string =>
  indicators.some((name) => existsSync(join(directory, name))) ? `project:${basename(directory)}` : "global"
