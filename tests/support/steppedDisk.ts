/** Disks on which the work of a migration can be counted, and ended before any of its operations. */
import { constants, copyFileSync, renameSync, writeFileSync } from "node:fs"
import { type Disk, realDisk } from "../../src/tools/migrations/Disk.ts"

/** Without waiting for the disk to have everything: what is tried here is the order of operations. */
export const quickDisk: Disk = {
  ...realDisk,
  create: (file, bytes, mode) => writeFileSync(file, bytes, { mode, flag: "wx" }),
  rename: renameSync,
  copy: (from, to) => copyFileSync(from, to, constants.COPYFILE_EXCL)
}

/** Says of each operation that it is about to be done; `half` does half of it, where that can be. */
export const steppedDisk = (before: (name: string, half?: () => void) => void): Disk => {
  const step =
    <A extends readonly unknown[]>(name: string, act: (...args: A) => void, half?: (...args: A) => void) =>
    (...args: A): void => {
      before(`${name} ${String(args[0])}`, half && (() => half(...args)))
      act(...args)
    }
  return {
    create: step("create", quickDisk.create, (file, bytes, mode) =>
      writeFileSync(file, bytes.subarray(0, bytes.length / 2), { mode })
    ),
    rename: step("rename", quickDisk.rename),
    remove: step("remove", realDisk.remove),
    copy: step("copy", quickDisk.copy, (_, to) => writeFileSync(to, "half", { mode: 0o600 })),
    folder: step("folder", realDisk.folder),
    room: realDisk.room,
    moment: step("moment", realDisk.moment)
  }
}
