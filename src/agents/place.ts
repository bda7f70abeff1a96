/** Where a hook call takes place. */
import { statSync } from "node:fs"

const isDirectory = (path: string): boolean =>
  path.startsWith("/") && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Cursor starts the user's hooks in a folder of its own, and says the project in a variable. */
export const placeOf = (agent: string, cwd: string, env: (name: string) => string | undefined): string => {
  const said = agent === "cursor" ? env("CURSOR_PROJECT_DIR") : undefined
  return said !== undefined && isDirectory(said) ? said : cwd
}
