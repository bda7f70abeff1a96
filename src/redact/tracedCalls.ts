/** What a trace of the stack shows of a call that logs in: `PDO->__construct('mysql:host=…', 'web', '…')`. */
import { looksSecret } from "./secretNames.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { matchesNear, signOf } from "./signs.ts"

const text = String.raw`'(?:[^'\n\\]|\\.){0,120}'`
const other = String.raw`(?:${text}|Resource id #\d+|Object\([\w\\]{1,80}\)|NULL|\d{1,6})`
/** The secret is the third argument, or the last of those that take a connection first. */
const call = new RegExp(
  String.raw`(?:\b(?:PDO|mysqli|SoapClient|\w{0,30}Connection)(?:->|::)(?:__construct|connect|real_connect)|\b\w{2,20}_(?:p?connect|login|bind|auth_password|open))\(${other}, ${other}, '((?:[^'\n\\]|\\.){4,120})'`,
  "g"
)
const sign = signOf("__construct(", "connect(", "_login(", "_bind(", "auth_password(", "_open(")

export const findTraced = (whole: string, hit: Hit): void => {
  for (const { at, match } of matchesNear(whole, sign, call, 60, 400)) {
    const value = match[1] as string
    if (/\.{3}$/.test(value) || !looksSecret("password", "password", value, "quoted", undefined)) continue
    const end = at + match[0].length - 1
    hit(end - value.length, end, tokenKind(value) ?? "password")
  }
}
