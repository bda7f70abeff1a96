/** A disk on which the work ends before one of its operations, as if its process were killed: nothing that comes after is done. */
import { constants, copyFileSync, renameSync, writeFileSync } from "node:fs"
import { type Disk, realDisk } from "../../src/tools/migrations/Disk.ts"

/** Without waiting for the disk to have everything: what is tried here is the order of operations. */
export const quickDisk: Disk = {
  ...realDisk,
  create: (file, bytes, mode) => writeFileSync(file, bytes, { mode, flag: "wx" }),
  rename: renameSync,
  copy: (from, to) => copyFileSync(from, to, constants.COPYFILE_EXCL)
}

export class Killed extends Error {
  override readonly name = "Killed"
}

/** `half`: a file that was being written then is there, with half of its bytes. */
export const cutOff = (at: number, half: boolean): { readonly disk: Disk; readonly names: string[] } => {
  const names: string[] = []
  const guarded =
    <A extends readonly unknown[]>(name: string, act: (...args: A) => void, torn?: (...args: A) => void) =>
    (...args: A): void => {
      if (names.length >= at) {
        if (names.length === at && half) torn?.(...args)
        names.push("-")
        throw new Killed(`before ${name} ${args.join(" ").slice(0, 200)}`)
      }
      names.push(`${name} ${String(args[0])}`)
      act(...args)
    }
  return {
    names,
    disk: {
      create: guarded("create", quickDisk.create, (file, bytes, mode) =>
        writeFileSync(file, bytes.subarray(0, bytes.length / 2), { mode })
      ),
      rename: guarded("rename", quickDisk.rename),
      remove: guarded("remove", realDisk.remove),
      copy: guarded("copy", quickDisk.copy, (_, to) => writeFileSync(to, "half", { mode: 0o600 })),
      folder: guarded("folder", realDisk.folder),
      room: realDisk.room,
      moment: guarded("moment", realDisk.moment)
    }
  }
}
