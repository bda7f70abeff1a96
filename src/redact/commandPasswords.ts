/** Passwords on command lines whose flag does not say that it takes one: `mysql -psecret`, `curl -u me:secret`. */

import { isPlaceholderPair } from "./publicValues.ts"
import { looksRandom } from "./secretNames.ts"
import type { Hit } from "./secretTokens.ts"

/** Where the password stands. */
export interface Found {
  readonly start: number
  readonly end: number
}

/** `docker run --name mysql -p3306:3306` */
const ports = /^[\d.]*(?::\d+)+(?:\/\w+)?$/
/** Commands whose own flag `-p` is, where they name one of those below. */
const owners =
  /^\s*(?:\w+=\S*\s+)*(?:sudo\s+)?(?:tar|[cm]p|mv|ls|mkdir|rm|[ef]?grep|rg|ag|find|git|np[mx]|yarn|pnpm|apt(?:-get)?|apk|brew|yum|dnf|pip3?|scp|ssh|rsync|cat|chmod|nmap|p?kill|pgrep|ps|make)\s/

interface Command {
  readonly name: RegExp
  /** What stands before the password, from the flag's dash on. */
  readonly flag: RegExp
  /** What stands there instead, when it is no password. */
  readonly other?: RegExp
  /** Commands whose own flag it is, where the name is one of their arguments. */
  readonly owners?: RegExp
}

/** A value stands in the next word, behind `=`, or, of a flag with one letter, in the same word. */
const commands: readonly Command[] = [
  { name: /(?<![\w-])sshpass[ \t]/g, flag: /-p[ \t=]{0,4}/y },
  {
    name: /(?<![\w-])curl[ \t]/g,
    flag: /(?:-[sSLkvifgjIaGnNqRplBM0-46#]{0,8}[uU][ \t]{0,4}|--(?:proxy-)?user[ \t=]{1,4})(?:\\*["'])?[^\s"':\\<‹]{0,128}:/y
  },
  {
    name: /(?<![\w-])(?:mysql|mariadb)[\w-]{0,20}[ \t]/g,
    // In a word of its own it would be the database.
    flag: /-p(?=[^\s-])/y,
    other: ports,
    owners
  },
  {
    name: /(?<![\w-])(?:docker|podman|nerdctl|buildah|skopeo|oras|helm[ \t]{1,8}registry|az(?:[ \t]{1,8}acr)?|oc)[ \t]{1,8}login[ \t]/g,
    flag: /-p[ \t=]{0,4}/y
  },
  {
    name: /(?<![\w-])(?:smbclient|rpcclient|net|smbmap)[ \t]/g,
    flag: /(?:-U[ \t]{0,4}|--user[ =])\\*["']?[\w.\\/-]{1,60}\\*["']?%/y
  },
  {
    name: /(?<![\w-])(?:https?|xhs?)[ \t]/g,
    flag: /(?:-a[ \t]{0,4}|--auth[ =])\\*["']?[^\s"':\\<‹]{1,64}:/y
  },
  {
    name: /(?<![\w-])(?:wget|aria2c|lftp|rclone|axel)[ \t]/g,
    flag: /(?:--(?:http-|ftp-|proxy-)?pass(?:word|wd)?[ =]|-u[ \t]{1,4}[^\s,:]{1,60}[,:])/y
  },
  { name: /(?<![\w-])curl[ \t]/g, flag: /--(?:oauth2-bearer|pass|proxy-pass|tlspassword)[ \t=]{1,4}/y },
  {
    name: /(?<![\w-])(?:mosquitto_(?:pub|sub|rr)|amqp-\w{1,12}|bsqldb|isql|tsql|bcp|freebcp|osql|impacket-\w{1,20}|xfreerdp|pg_\w{1,12}|rabbitmqadmin)[ \t]/g,
    flag: /(?:-P[ \t]{0,4}|-p[ \t]{1,4}|\/p:)/y,
    other: /^\d{2,5}$/
  },
  {
    name: /(?<![\w-])(?:twine|vncviewer|x11vnc|snowsql|rasdial|cadaver|nmcli|restic|influx|cypher-shell|clickhouse-client|sqlplus|neo4j-admin|ldapvi|evil-winrm|wpscan|crackmapexec|nxc|hydra|ansible-vault|vault|bw|lpass|op|heroku|cf|kinit|gcloud|http-server|jmeter|ncftp(?:put|get|ls)?|mailx|swaks)[ \t]/g,
    flag: /(?:-p[ \t=]{1,4}|--?pass(?:word|wd)?[ \t=]{1,4}|-P[ \t]{1,4}|-ap[ \t]{1,4})/y,
    other: /^\d{2,5}$/
  },
  { name: /(?<![\w-])(?:7z[arz]?|7zz|rar|unrar)[ \t]/g, flag: /-h?p(?=[^\s-])/y },
  {
    name: /(?<![\w-])(?:zip|unzip|zipcloak|pdftotext|qpdf|pdftk)[ \t]/g,
    flag: /-[a-zA-Z]{0,6}P[ \t]{0,4}|--password[= ]|-upw[ \t]|-opw[ \t]/y
  },
  {
    name: /(?<![\w-])(?:openssl|easyrsa|step|osslsigncode|signtool|codesign|jarsigner|apksigner|pkcs12)[ \t]/g,
    flag: /-(?:-)?(?:pass(?:in|out|key)?|passargs|ks-pass|key-pass|k|K|password|macopt|p)[ \t=]{1,4}(?:(?:pass|hexkey|key):)?(?=[^\s-])/y,
    other: /^(?:env|file|fd|stdin|prompt|keychain)(?::|$)|^[\w./-]+\.(?:pem|key|crt|p12|cnf)$/
  },
  {
    name: /(?<![\w-])(?:gpg2?|steghide|borg|duplicity|cryptsetup|mcrypt|ccrypt|scrypt|age|veracrypt|ssh-keygen|ssh-add|kdbxviewer|keepassxc-cli)[ \t]/g,
    flag: /(?:--passphrase[ \t=]{1,4}|-[NPKp][ \t]{1,4}|--password[ =])/y,
    other: /^\d{1,5}$|^[\w./-]+\.(?:pem|key|pub|kdbx)$|^(?:""|'')$/
  },
  {
    name: /(?<![\w-])(?:psexec|net|wmic|schtasks|cmdkey|runas|xcopy|winrs|plink|pscp|putty|psftp)(?:\.exe)?[ \t]/gi,
    flag: /(?:\/p(?:ass(?:word)?)?[ :]|-pw?[ \t]|\/pass:)/iy,
    other: /^\d{1,5}$/
  },
  // Of Concourse; of macOS, where a keychain may stand instead.
  { name: /(?<![\w-])fly[ \t]/g, flag: /-p[ \t=]{1,4}/y },
  {
    name: /(?<![\w-])security[ \t]{1,4}(?:(?:unlock|create)-keychain|set-key(?:chain-password|-partition-list)|import|export)[ \t]/g,
    flag: /-[pPko][ \t]{1,4}/y,
    other: /keychain|^[/~]|\.(?:p12|pem|cer|key)$/
  },
  { name: /(?<![\w-])security[ \t]{1,4}add-(?:generic|internet)-password[ \t]/g, flag: /-w[ \t]{1,4}/y },
  {
    name: /(?<![\w-])(?:codecov(?:cli)?|coveralls|codacy-coverage-reporter|cc-test-reporter|deepsource|datadog-ci|influx|databricks|doctl|gcloud|wandb)[ \t]/g,
    flag: /-t[ \t=]{1,4}(?=\\*["']?[\w.~+/=-]{24})/y
  },
  {
    name: /(?<![\w-])(?:iex|erl|elixir|rebar3|werl|erl_call|mix)[ \t]/g,
    flag: /--?(?:set)?cookie[ \t=]{1,4}/y
  },
  {
    name: /(?<![\w-])(?:mix|choco|nuget|rclone|s3cmd|ibmcloud|jf|jfrog|dotnet|gem|artifactory)[ \t]/g,
    flag: /(?:--?key|--apikey|-k)[ \t=]{1,4}(?=\\*["']?[^\s"'/]{16})/y
  },
  {
    name: /(?<![\w-])(?:vsce|ovsx|npm-cli-login|expo|cf|svn|racadm|doveadm|net)[ \t]/g,
    flag: /-p[ \t=]{1,4}/y,
    other: /^\d{1,5}$|^[\w./-]+\.(?:json|yml)$/
  },
  {
    name: /(?<![\w-])(?:wp|drush|drupal|occ|magento)[ \t]/g,
    flag: /--(?:db[-_]?pass|user_pass|admin[-_]pass(?:word)?|account-pass|db-password|pass)[ \t=]{1,4}/y
  },
  { name: /(?<![\w-])slappasswd[ \t]/g, flag: /-s[ \t]{1,4}/y },
  { name: /(?<![\w-])redis-cli[ \t]/g, flag: /(?:-a[ \t]|--pass[ \t=])[ \t]{0,3}/y },
  {
    name: /(?<![\w-])mongo(?:sh|dump|restore|export|import|stat|top)?[ \t]/g,
    flag: /-p[ \t=]{0,4}/y,
    other: ports,
    owners
  },
  { name: /(?<![\w-])(?:sqlcmd|ipmitool)[ \t]/g, flag: /-P[ \t]{0,4}/y },
  {
    name: /(?<![\w-])snmp(?:get|getnext|walk|bulkwalk|set|table|trap)[ \t]/g,
    flag: /-[AXax][ \t]{1,4}(?=\S{0,100}[\d!@#$%^&*])/y,
    other: /^(?:MD5|SHA(?:-\d+)?|AES(?:-\d+)?|DES)$/
  },
  {
    name: /(?<![\w-])az[ \t]{1,8}(?:sql|mysql|postgres|vm|vmss|synapse|aks)[ \t]{1,8}(?:[a-z-]{1,30}[ \t]{1,8}){0,2}?(?:create|update|connect|execute|import|export|restore|reset-\w{1,20})[ \t]/g,
    flag: /(?:-p|--(?:admin-)?password)[ \t=]{1,4}/y
  },
  { name: /(?<![\w-])etcdctl[ \t]/g, flag: /--user[= ]\\*["']?[^\s"':\\<‹]{1,64}:/y },
  { name: /(?<![\w-])dotnet[ \t]{1,4}nuget[ \t]/g, flag: /-k[ \t]{1,4}/y },
  { name: /(?<![\w-])ldap(?:search|modify|add|delete|whoami|passwd)[ \t]/g, flag: /-w[ \t]{0,4}/y },
  {
    name: /(?<![\w-])(?:keytool|jarsigner)[ \t]/g,
    flag: /-(?:src|dest|new)?(?:store|key)?pass(?:wd)?[ \t]{1,4}/y
  },
  {
    name: /(?<![\w-])htpasswd[ \t]/g,
    // Behind the file, where it is not to be printed, and the user.
    flag: /-(?=[a-zA-Z]{0,8}b)(?:(?=[a-zA-Z]{0,8}n)[a-zA-Z]{1,9}(?:(?<=C)[ \t]{1,4}\d+)?|[a-zA-Z]{1,9}(?:(?<=C)[ \t]{1,4}\d+)?[ \t]{1,4}[^\s-]\S{0,200})[ \t]{1,4}[^\s-]\S{0,100}[ \t]{1,4}/y
  }
]

/** Any of them, for a first look. */
export const commandNames =
  /sshpass|curl|etcdctl|ipmitool|snmp|nuget|mysql|mariadb|docker|podman|nerdctl|buildah|skopeo|oras|helm|\baz\b|\boc\b|redis-cli|mongo|sqlcmd|ldap|keytool|jarsigner|htpasswd|smbclient|rpcclient|\bnet\b|smbmap|\bhttps?[ \t]|\bxhs?[ \t]|wget|aria2c|lftp|rclone|axel|mosquitto_|amqp-|isql|bsqldb|tsql|bcp|osql|impacket|xfreerdp|\bpg_|rabbitmqadmin|twine|vnc|snowsql|rasdial|cadaver|nmcli|restic|influx|cypher-shell|clickhouse|sqlplus|neo4j|winrm|wpscan|crackmapexec|nxc|hydra|vault|\bbw\b|lpass|\bop\b|heroku|\bcf\b|kinit|gcloud|http-server|jmeter|ncftp|mailx|swaks|7z|\bu?n?rar\b|\b(?:un)?zip|pdf|openssl|easyrsa|\bstep\b|signtool|osslsigncode|codesign|apksigner|pkcs12|gpg|steghide|borg|duplicity|crypt|\bage\b|ssh-keygen|ssh-add|keepass|psexec|wmic|schtasks|cmdkey|runas|winrs|plink|pscp|putty|psftp|\bfly\b|security|codecov|coveralls|codacy|test-reporter|deepsource|datadog-ci|databricks|doctl|wandb|\biex\b|\bw?erl\b|erl_call|elixir|rebar3|\bmix\b|choco|s3cmd|ibmcloud|\bjf\b|jfrog|dotnet|artifactory|vsce|ovsx|npm-cli-login|expo|\bsvn\b|racadm|doveadm|\bwp\b|drush|drupal|\bocc\b|magento|slappasswd/i

/** Whether the dash at `at` may begin one of these flags: most are none. */
const flagLike =
  /-(?:[a-zA-Z0-9#]{0,8}[uU]|[apPwkKNAXx]|[os][ \t]|-?key[ \t=]|-?(?:set)?cookie[ \t]|-(?:db[-_]?|user_|admin[-_]|account-)pass|-apikey|t[ \t=]\\*["']?[\w.~+/=-]{24}|hp|[a-zA-Z]{0,6}P|[a-zA-Z]{0,8}b|[a-z]{1,9}pass|[uo]pw|passargs|macopt|-(?:[a-z]{1,6}-)?(?:user|pass|auth|oauth2|tlspass))/y

export const isPasswordFlag = (text: string, at: number): boolean => {
  flagLike.lastIndex = at
  return flagLike.test(text)
}

/** `--user me:…`: of a command that is not known, only what nobody typed. */
const userPair =
  /-(?:[uUA]|auth|-(?:user|auth|login|creds|credentials))[ \t=]{1,4}\\*["']?[\w.@+-]{1,60}:([\w+/=~.-]{16,256})/y

/** The second of such a pair. */
export const madePassword = (text: string, at: number): Found | undefined => {
  userPair.lastIndex = at
  const value = userPair.exec(text)?.[1]
  if (value === undefined) return undefined
  const isMade = looksRandom(value) || /^(?=.*\d)(?=.*[a-f])[\da-f]{24,}$/.test(value)
  return isMade ? { start: userPair.lastIndex - value.length, end: userPair.lastIndex } : undefined
}

/** So far before its flag the command may stand. */
const near = 200
/** Of a command's name that stands there more often, the nearest. */
const maxNames = 3
const longest = 256

/** Arguments up to the flag: the end of a command in quotes, or of a line that goes on, is none. */
const sameCommand = /^(?:"[^"\n]*"|'[^'\n]*'|\\[^n]|[^\n|;&"'\\])*$/
const commandStart = /[\n;|&(`{"']|\\n/g

const isFlagOf = ({ name, owners }: Command, before: string): boolean =>
  [...before.matchAll(name)].slice(-maxNames).some((found) => {
    if (!sameCommand.test(before.slice(found.index + found[0].length))) return false
    if (owners === undefined) return true
    const ahead = before.slice(0, found.index).split(commandStart).at(-1) ?? ""
    return !owners.test(ahead)
  })

/** Made at random, it may: no flag has digits and capitals amid small letters. */
const beginsWithDash = /^-(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w.~+/=-]{15,}$/
/** A variable, a placeholder, what is redacted already, another flag. */
const isNoPassword = (value: string): boolean =>
  /^(?:[$<*{‹[%`]|\.{3}|x{3,}$)/i.test(value) || (value.startsWith("-") && !beginsWithDash.test(value))

const wordEnd = /[\s"'\\;|&)<>`]/g

/** `opened`: the quote that the flag itself stands in, or nothing. */
const valueAt = (text: string, from: number, opened: string): Found => {
  let start = from
  while (text.charCodeAt(start) === 92) start++
  const own = text[start] === '"' || text[start] === "'"
  const quote = own ? text[start] : opened
  if (quote !== "") {
    if (own) start++
    let end = start
    const limit = Math.min(text.length, start + longest)
    while (end < limit && text[end] !== quote && text[end] !== "\n" && text[end] !== "\\") end++
    return { start, end }
  }
  wordEnd.lastIndex = from
  const end = wordEnd.exec(text.slice(0, from + longest))?.index ?? Math.min(text.length, from + longest)
  return { start: from, end }
}

/** The password behind the flag whose dash is at `at`, if it is such a flag. */
export const commandPassword = (text: string, at: number): Found | undefined => {
  const [around = ""] = /\\*["']$/.exec(text.slice(Math.max(0, at - 4), at)) ?? []
  for (const command of commands) {
    command.flag.lastIndex = at
    if (!command.flag.test(text)) continue
    const found = valueAt(text, command.flag.lastIndex, around.slice(-1))
    const value = text.slice(found.start, found.end)
    const user = /([\w-]{1,40}):$/.exec(text.slice(at, found.start))?.[1]
    if (user !== undefined && isPlaceholderPair(user, value)) continue
    if (value === "" || isNoPassword(value) || command.other?.test(value) === true) continue
    if (isFlagOf(command, text.slice(Math.max(0, at - near), at - around.length))) return found
  }
  return madePassword(text, at)
}

/** What a command reads its password from: `echo … | docker login --password-stdin`, `echo me:… | chpasswd`, `vault login …`. */
const piped =
  /\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:\\*["']?%s\\*["']?[ \t]{1,4})?(?:\\*["']?([^\s"'|\\‹$]{4,256})\\*["']?|'([^'\n]{4,256})'|\\*"([^"\n\\$]{4,256})\\*")[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?(?:[\w.-]{1,30}[ \t]{1,4}){1,3}(?:[^\n|;&]{0,200}--password-stdin|chpasswd|--stdin)/g
const changed =
  /\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?\\*["']?[\w.-]{1,60}:([^\s"'|\\‹$]{3,256})\\*["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd/g
const heredoc = /chpasswd[^\n]{0,20}<<<?[ \t]{0,4}\\*["']?[\w.-]{1,60}:([^\s"'|\\‹$]{3,256})/g
const vaultLogin =
  /\bvault login (?:-no-print )?(?:token=)?([^\s"'|\\‹$<{=-][^\s"'|\\‹=]{7,200})(?=$|[\s"'\\;&|])/g

const toSudo =
  /\b(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:\\*["']?%s(?:\\*n)?\\*["']?[ \t]{1,4})?\\*["']?([^\s"'|\\‹$]{4,256})\\*["']?[ \t]{0,4}\|[ \t]{0,4}sudo[ \t]{1,4}(?:-\w+[ \t]{1,4}){0,3}-\w{0,6}S\b/g

export const findPiped = (text: string, hit: Hit): void => {
  const patterns = [
    ...(text.includes("-stdin") ? [piped] : []),
    ...(text.includes("chpasswd") ? [changed, heredoc] : []),
    ...(text.includes("vault login") ? [vaultLogin] : []),
    ...(/sudo[ \t].{0,40}-\w{0,6}S\b/.test(text) ? [toSudo] : [])
  ]
  for (const pattern of patterns)
    for (const found of text.matchAll(pattern)) {
      const value = found.slice(1).find((group) => group !== undefined) as string
      const start = found.index + found[0].lastIndexOf(value)
      if (pattern !== vaultLogin || /\d/.test(value)) hit(start, start + value.length, "password")
    }
}
