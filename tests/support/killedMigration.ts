/** Migrates a state, or takes that back, and kills itself before one of its operations on the disk, or amid it: nothing comes after. */

import { rollBack } from "../../src/tools/migrations/rollBack.ts"
import { realPorts, runMigrations } from "../../src/tools/migrations/runMigrations.ts"
import type { KilledWork } from "./killed.ts"
import { steppedDisk } from "./steppedDisk.ts"

const { at, half, request, work }: KilledWork = JSON.parse(process.argv[2] ?? "")

let nth = 0
const disk = steppedDisk((_, halfOf) => {
  if (nth++ !== at) return
  if (half) halfOf?.()
  process.kill(process.pid, "SIGKILL")
  for (;;);
})

const ports = { ...realPorts, disk }
if (work === "back") rollBack(request, ports)
else runMigrations(request, ports)
