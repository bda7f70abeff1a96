/** Migrates a state, or takes that back, and is killed before its so-manieth operation on the disk: as a process, with nothing that comes after. */
import { writeFileSync } from "node:fs"
import { type Disk, realDisk } from "../../src/tools/migrations/Disk.ts"
import { rollBack } from "../../src/tools/migrations/rollBack.ts"
import { realPorts, runMigrations } from "../../src/tools/migrations/runMigrations.ts"

const [state = "", work = "", at = "0"] = process.argv.slice(2)

let count = 0
const killedAt =
  <A extends readonly unknown[]>(act: (...args: A) => void, torn?: (...args: A) => void) =>
  (...args: A): void => {
    if (count++ === Number(at)) {
      torn?.(...args)
      process.kill(process.pid, "SIGKILL")
      for (;;);
    }
    act(...args)
  }

const disk: Disk = {
  create: killedAt(realDisk.create, (file, bytes, mode) =>
    writeFileSync(file, bytes.subarray(0, bytes.length / 2), { mode })
  ),
  rename: killedAt(realDisk.rename),
  remove: killedAt(realDisk.remove),
  copy: killedAt(realDisk.copy, (_, to) => writeFileSync(to, "half", { mode: 0o600 })),
  folder: killedAt(realDisk.folder),
  room: realDisk.room,
  moment: killedAt(realDisk.moment)
}

const ports = { ...realPorts, disk }
if (work === "back") rollBack({ state }, ports)
else runMigrations({ state }, ports)
