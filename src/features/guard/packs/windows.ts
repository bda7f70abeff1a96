/** What the command prompt's own tools take away, by the packs that they belong to. */
import { rows, type Tools, tools } from "./table.ts"

export const windowsTools: Tools = {
  ...tools("reg", () => ({
    rows: rows("overwrite", [/^delete\b/i, "takes settings of the system or of its programs away"])
  })),
  ...tools("format", () => ({ rows: rows("disk", [/^[A-Za-z]:/, "writes over the disk"]) })),
  ...tools("diskpart", () => ({
    rows: rows("disk", [/^\/s\b/i, "does to disks what stands in a file", { action: "ask" }])
  })),
  ...tools("wmic", () => ({ rows: rows("backups", [/^shadowcopy delete\b/i, "deletes backups"]) })),
  ...tools("bcdedit", () => ({
    rows: rows("shutdown", [/^\/(?:delete|deletevalue|set|import)\b/i, "changes how the machine starts"])
  })),
  ...tools("net", () => ({
    rows: rows("credentials", [/^(?:user|localgroup) .*\/(?:delete|add)\b/i, "changes who may log in"])
  }))
}
