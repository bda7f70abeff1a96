/** What the system says of a place that takes nothing, as a sentence with the place in it. */

const reasons: Readonly<Record<string, string>> = {
  EROFS: "its file system is read-only",
  EACCES: "permission is denied",
  EPERM: "it is not permitted",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up"
}

/** Undefined for whatever else went wrong. */
export const unwritable = (thrown: unknown): string | undefined => {
  if (!(thrown instanceof Error)) return undefined
  const { code = "", path, syscall } = thrown as NodeJS.ErrnoException
  if (path === undefined) return unwritable(thrown.cause)
  // Node says so of a directory within one that cannot be written.
  if (code === "ENOENT" && syscall === "mkdir")
    return `${path} cannot be made: the directory above it cannot be written`
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (reason === undefined) return unwritable(thrown.cause)
  return `${path} cannot be ${syscall === "open" ? "opened for writing" : "written"}: ${reason}`
}
