/** Whether somebody else could have put other code in a program's place: then it is not this user's program. */
import { lstatSync, type Stats } from "node:fs"

const groupWrite = 0o020
const otherWrite = 0o002
const sticky = 0o1000

/** Groups that everybody of a machine is in: `users` of Linux, `staff` of macOS. */
const commonGroup = process.platform === "darwin" ? 20 : 100
/** Administrators of macOS, whose folders of Homebrew are theirs together. */
const adminGroup = process.platform === "darwin" ? 80 : undefined

/** A group of this user alone, as many systems make one for each: what it may write only this user writes. */
const isOwnGroup = ({ gid, uid }: Stats): boolean =>
  gid === 0 || gid === uid || gid === adminGroup || (gid === process.getgid?.() && gid !== commonGroup)

/** Every place on the way counts: who may write a folder may put another file into it. */
export const ownerProblem = (places: readonly string[]): string | undefined => {
  const me = process.getuid?.()
  // Windows keeps other rights, which its own tools look after.
  if (me === undefined) return undefined
  for (const place of places) {
    const stat = lstatSync(place)
    if (stat.uid !== me && stat.uid !== 0) return `${place} belongs to another user`
    if (stat.isSymbolicLink()) continue
    const isShared = stat.isDirectory() && (stat.mode & sticky) !== 0
    if ((stat.mode & otherWrite) !== 0 && !isShared) return `everybody may write ${place}`
    if ((stat.mode & groupWrite) !== 0 && !isShared && stat.uid !== 0 && !isOwnGroup(stat))
      return `a group of users may write ${place}`
  }
  return undefined
}
