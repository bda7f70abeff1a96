/** What was spooled and could not be taken into the log. */
import type { Evidence } from "../Evidence.ts"
import type { Finding } from "../Finding.ts"

export const spoolErrors = ({ spoolErrors: lines }: Evidence): readonly Finding[] =>
  lines.map(({ file, reason }) => ({
    category: "spool error",
    severity: "warning",
    reference: file,
    description: `${file} could not be taken into the log${reason === "" ? "" : `: ${reason}`}`,
    recommendation: "It lies in spool/errors/ of the state directory. Look at it, then remove it."
  }))
