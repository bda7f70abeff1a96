/** What a command prints that is asked for one secret, and what a script sends when it is asked for a password. */
import { isNoWord } from "./noWord.ts"
import { type Hit, tokenKind } from "./secretTokens.ts"
import { nearSign, signOf } from "./signs.ts"

const printing =
  /op (?:item get [^\n]{0,200}--fields|read )|(?:go)?pass (?:show )?(?!git|ls|insert|init|rm|edit|grep|find|generate)[\w-]{1,40}\/|bw get (?:password|totp)|vault (?:kv get|read) [^\n]{0,100}-field|secretsmanager get-secret-value [^\n]{0,200}SecretString|ssm get-parameters? [^\n]{0,200}Value|gcloud secrets versions access|find-(?:generic|internet)-password [^\n]{0,100}-w|secret-tool lookup|keyring get|keyvault secret show [^\n]{0,200}value|lpass show [^\n]{0,40}--password|doppler secrets get [^\n]{0,100}--plain|kubectl get secrets? [^\n]{0,200}base64|pwgen\b|openssl rand/

const sign = signOf(
  ..."op item get,op read ,pass ,bw get ,vault kv get,vault read ,get-secret-value,get-parameter,secrets versions access".split(
    ","
  ),
  ..."-password ,secret-tool lookup,keyring get,keyvault secret show,lpass show,doppler secrets get,get secret,pwgen,openssl rand".split(
    ","
  )
)

const answer = new RegExp(
  String.raw`(?:^|\n)[^\n]{0,60}?[$#%>❯][ \t](?:${printing.source})[^\n|]{0,200}(?:\|[^\n]{0,60}(?:base64|jq -r|tr|head)[^\n]{0,60})?\n([^\s]{6,512})[ \t]{0,4}(?=\r|\n|$)`,
  "g"
)

const asked = /assword:?[^\n"']{0,8}\\*["']/i
const sent =
  /assword:?[^\n"']{0,8}\\*["'][^\n]{0,20}\n[^\n]{0,20}\bsend\b[^\n"'\\{]{0,20}\\*["'{]([^"'\n\\{}]{4,128})/gi

const each = (text: string, pattern: RegExp, isSecret: (value: string) => boolean, hit: Hit): void => {
  for (const found of text.matchAll(pattern)) {
    const value = found[1] as string
    if (/^[$<{‹[*%]/.test(value) || !isSecret(value)) continue
    const start = found.index + found[0].lastIndexOf(value)
    hit(start, start + value.length, tokenKind(value) ?? "password")
  }
}

export const findPrinted = (text: string, hit: Hit): void => {
  for (const { start, end } of nearSign(text, sign, 400, 900))
    each(text.slice(start, end), answer, isNoWord, (from, to, kind) => hit(start + from, start + to, kind))
  if (text.includes("send") && asked.test(text)) each(text, sent, () => true, hit)
}
