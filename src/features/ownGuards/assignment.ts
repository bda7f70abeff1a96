/** The names of hooktape's variables that can weaken a guard, where something is set. */
import { isOwn, weakening } from "../../trust/weakening.ts"

export const assignment = new RegExp(
  `\\b(${Object.keys(weakening)
    .filter(isOwn)
    .sort((a, b) => b.length - a.length)
    .join("|")})(?:\\s{0,3}[=:]|(?<=\\bset\\s(?:-{1,2}[\\w-]{1,12}\\s){0,4}\\S{1,40})\\s)`
)
