/** The names of hooktape's variables that can weaken a guard, where something is set. */
import { isOwn, weakening } from "../../trust/weakening.ts"

export const assignment = new RegExp(
  `\\b(${Object.keys(weakening)
    .filter(isOwn)
    .sort((a, b) => b.length - a.length)
    .join("|")})\\s{0,3}[=:]`
)
