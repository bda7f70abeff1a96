/** What SQLite says by the codes of its errors, however deep a library has wrapped them. */

const says = (error: unknown, pattern: RegExp): boolean => {
  for (let at = error; typeof at === "object" && at !== null; at = (at as { cause?: unknown }).cause) {
    const { code } = at as { readonly code?: unknown }
    if (typeof code === "string" && pattern.test(code)) return true
  }
  return false
}

/** Somebody else writes, or holds what was asked for. */
export const isBusy = (error: unknown): boolean => says(error, /^SQLITE_BUSY/)

/** This user may not do with the file what was to be done. */
export const isDenied = (error: unknown): boolean => says(error, /^SQLITE_(?:READONLY|PERM|CANTOPEN|AUTH)/)

/** Tables are not as they were made, or what is in them; the file itself is sound. */
export const isTableDamage = (error: unknown): boolean =>
  says(error, /^SQLITE_(?:ERROR|CORRUPT_VTAB|CONSTRAINT|MISMATCH)/) || error instanceof SyntaxError

/** Whatever went wrong with a database, or with what stands in its tables. */
export const isOfSqlite = (error: unknown): boolean => says(error, /^SQLITE_/) || isTableDamage(error)

/** The file is no database, or no longer one. */
export const isFileDamage = (error: unknown): boolean => says(error, /^SQLITE_(?:NOTADB|CORRUPT)/)

/** Of the error of who looked for SQLite's native part and found none. */
export const noAddonCode = "NO_SQLITE_ADDON"

/** There is no SQLite for the Node that runs: nothing is wrong with any file. */
export const isWithoutAddon = (error: unknown): boolean => says(error, new RegExp(`^${noAddonCode}$`))
