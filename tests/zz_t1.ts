import { hundredSecrets, piecesOf } from "./support/labelled/hundredSecrets.ts"
import { redactText } from "../src/log/redact.ts"
const all = hundredSecrets(1)
console.log(all.length)
for (const {kind,text,secret} of all) {
  const out = redactText(text)
  if (!text.includes(secret) && !text.includes(secret.replaceAll("\n","\\n"))) console.log("NOT IN", text)
  const bad = piecesOf(secret).filter(p => out.includes(p))
  if (bad.length) console.log("LEAK", kind, "|", text, "|", out)
}
