/** Settings of devices and services, and commands, whose own words say that a password, a seed or a key stands next. */
import type { Command } from "./commandArguments.ts"

const blank = String.raw`[ \t]{1,4}`
/** Somebody's name before the sign of what he opens with. */
const user = String.raw`[\w.@-]{1,60}`
const groups = String.raw`(?=(?:[A-Z\d]{5}-){4}[A-Z\d]{5}(?![\w-]))`
/** What reads a password from its standard input. */
const readers = String.raw`(?:sudo[ \t](?:-\w+[ \t]{1,4}){0,3}-\w{0,6}S|vncpasswd|smbpasswd|--password-stdin|--passphrase-fd[ =]0)\b`

export const deviceSettings: readonly Command[] = [
  // Network gear: what authenticates it to a server or a neighbour.
  ...["tacacs", "radius", "isakmp"].map(
    (word): Command => ({
      word,
      before: String.raw`\b${word}[\w-]{0,12}[ \t](?:[\w.:/-]{1,60}[ \t]{1,4}){0,8}?key${blank}(?=[^\s\d]{0,60}\d)(?!\d[ \t])`,
      kind: "password"
    })
  ),
  {
    word: "enable ",
    before: String.raw`\benable[ \t](?:password|secret)${blank}(?=[^\s\d]{0,60}\d)(?!\d[ \t])`,
    kind: "password"
  },
  {
    word: "community",
    before: String.raw`\bsnmp-server[ \t]community${blank}(?=\S{4,64}[ \t]{1,4}R[OW]\b)`,
    kind: "password",
    not: /^(?:public|private)$/
  },
  { word: "ascii-text", before: String.raw`-key[ \t]ascii-text${blank}(?=\\*")`, kind: "password" },
  { word: ": eap", before: String.raw`: EAP${blank}(?=\\*")`, kind: "password" },
  // Servers.
  { word: "stats auth", before: String.raw`\bstats[ \t]auth${blank}${user}:`, kind: "password" },
  { word: "insecure-password", before: String.raw`\binsecure-password${blank}`, kind: "password" },
  {
    word: "setsteamaccount",
    before: String.raw`setsteamaccount${blank}(?=\\*"?[\dA-Fa-f]{32})`,
    kind: "token"
  },
  { word: "rootpw", before: String.raw`\brootpw${blank}--plaintext${blank}`, kind: "password" },
  // What a program is registered with, which has five groups.
  { word: "key ", before: String.raw`\b[Kk]ey ${groups}`, kind: "licence-key" },
  {
    word: "serial",
    before: String.raw`\b[Ss]erial(?: (?:number|key|no\.?))?:? ${groups}`,
    kind: "licence-key"
  },
  // Commands.
  {
    word: "bw ",
    before: String.raw`\bbw${blank}unlock${blank}(?:--raw${blank}|--nointeraction${blank}){1,2}`,
    kind: "password"
  },
  {
    word: "<<<",
    before: String.raw`${readers}[^\n|;&<]{0,200}<<<[ \t]{0,4}`,
    kind: "password"
  },
  {
    word: "oathtool",
    before: String.raw`\boathtool[ \t](?:[^\n|;&]{0,120}[ \t])?(?=\\*["']?[A-Za-z2-7]{16}[\w=]{0,112}(?:["'\s\\|;&]|$))`,
    kind: "seed"
  },
  { word: "slmgr", before: String.raw`\bslmgr(?:\.vbs)?[ \t]{1,4}[/-]ipk${blank}`, kind: "licence-key" },
  {
    word: "schtasks",
    before: String.raw`\bschtasks(?:\.exe)?[ \t][^\n|;&]{0,300}[ \t]\/RP${blank}`,
    kind: "password"
  },
  {
    word: "-credentials",
    before: String.raw`[ \t]--?credentials[ \t=]{1,4}${user}:(?!\/\/)(?=\S{0,60}\d)`,
    kind: "password"
  },
  {
    word: "<(echo",
    before: String.raw`<\(echo${blank}(?=\S{1,200}[ \t]{0,4}\|[ \t]{0,4}vncpasswd\b)`,
    kind: "password"
  }
]
