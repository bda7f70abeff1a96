/** Why a file is left out, or not as it was trusted: in words, and by what helps. */
import type { WithheldFile } from "../../state/manifest.ts"

export type Why = Pick<WithheldFile, "reason" | "kind">

export const whyGone: Why = { reason: "trusted, but gone", kind: "gone" }
export const whyUnstarted: Why = { reason: "trusted, but not executable", kind: "unstarted" }
export const whyRevoked: Why = { reason: "revoked", kind: "revoked" }
