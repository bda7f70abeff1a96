/** Whether a program of another language sends a secret over the network. */
import { ownHost } from "./ownMachine.ts"
import { isSecretPath } from "./secretPaths.ts"

const network =
  /\b(?:requests|urllib\d?|httpx|aiohttp|http\.client|socket|smtplib|fetch|axios|https?\.request|net\.connect|Net::HTTP|LWP|curl_exec|file_get_contents)\b/

const addresses = /\b(?:https?|wss?|ftp):\/\/([\w.[\]:-]+)/g
const nearby = new RegExp(String.raw`^${ownHost}(?::\d*)?$`)

/** Every address that stands in it is one of this machine. */
export const asksOnlyHere = (text: string): boolean => {
  const hosts = Array.from(text.matchAll(addresses), ([, host = ""]) => host)
  return hosts.length > 0 && hosts.every((host) => nearby.test(host))
}

/** Every variable at once, as text: one by one they are what a program is told by. */
const allVariables =
  /(?:\b(?:stringify|str|dict|repr|dumps|urlencode|entries|inspect|format|encode|String)\s?\(\s?|\b(?:json|data|body|params)\s?[=:]\s?(?:\w+\()?)(?:process\.env|os\.environ|Deno\.env\.toObject\(\)|Bun\.env|ENV)\b(?!\s?[.[(])|\bENV\.(?:to_h|inspect|to_a|map)\b|\{\s?os\.environ\s?\}/
/** A file of variables that a library reads into the program's own. */
const loadsVariables =
  /\b(?:dotenv\b.{0,40}?config|load_dotenv|dotenv_values|loadEnvFile|Dotenv\.load)\s?\([^)]{0,200}\)/gs
export const sendsSecret = (text: string): boolean => {
  if (!network.test(text) || asksOnlyHere(text)) return false
  if (allVariables.test(text)) return true
  for (const match of text.replaceAll(loadsVariables, "").matchAll(/["']([^"'\n]{0,120})["']/g))
    if (isSecretPath(match[1] ?? "")) return true
  return false
}
