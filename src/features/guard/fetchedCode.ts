/** Whether a program of another language runs what it fetches: at once, by way of a name, or in what is called once it is there. */

import { ownHost } from "./ownMachine.ts"
import { asksOnlyHere } from "./sentByCode.ts"

/** What brings something from the network. */
const fetched = String.raw`(?:urlopen|\b(?:requests|httpx|axios|needle|superagent|session)\.(?:get|post|request)\b|\bgot\s?\(|\baxios\s?\(|\bfetch\s?\(|["']\s?\)\.(?:get|request)\s?\(\s?["'\`]https?:|\bhttps?\.(?:get|request)\s?\(|URI\.(?:open|parse)|\bURI\s?\(|open-uri|Net::HTTP|LWP::|HTTP::Tiny|HTTParty|Faraday|\bget\s?\(\s?["']https?:|\bfile_get_contents\s?\(\s?["'$]|\bf?open\s?\(\s?["']https?:|\bgetresponse\s?\(|curl_exec|\b(?:curl|wget)\b)`

const owners = String.raw`(?:(?:Kernel|builtins|__builtins__|window|globalThis|self|global|binding)\.)?`
/** What takes a text for code. As a method of something else `exec` and `eval` are a search and a calculation. */
const evaluates = String.raw`(?:(?<![\w$.]|->)${owners}(?:eval|exec|execfile|assert)\b|\.?\b(?:instance|class|module)_eval\b|\b(?:new\s+)?Function\b|\.runIn(?:New|This)?Context\b|\bnew\s+vm\.Script\b|\._compile\b|\b(?:pickle|marshal|dill|cloudpickle)\.loads?\b|\(\s?0\s?,\s?eval\s?\))`
/** What has a shell run it. */
const runs = String.raw`(?:\bos\.(?:system|popen)|\bsubprocess\.\w+|\b(?:execSync|spawnSync|system|popen|shell_exec|passthru)|(?<![\w$.])exec|\bchild_process["']\s?\)\.exec|\bIO\.popen)\s?\(\s?`

const begins = String.raw`\s{0,2}\(?\s{0,2}`
/** A text that stands there is read by itself, unless it is one of a command that fetches. */
const noText = `(?!["'])`

const atOnce = new RegExp(
  String.raw`${evaluates}${begins}${noText}[^;\n]{0,120}?(?:${fetched}|https?:\/\/)|${runs}(?:await\s|\(|str\()*(?:\w+\.)*${fetched}|\bsystem\s?\(?\s?\`(?:curl|wget)\b|\bload(?:string)?\s?\(\s?io\.popen\([^;\n]{0,20}\b(?:curl|wget)\b`
)
/** `.then(eval)`, `map(exec)`. */
const handedOn = /[(,]\s?(?:eval|Function)\s?\)/
const anyFetched = new RegExp(fetched)
const included = new RegExp(
  String.raw`(?:\bimport\s?\(|\b(?:include|require)(?:_once)?\s?\(?)\s?["'\x60]https?://(?!${ownHost})`
)
const ofName = new RegExp(
  String.raw`${evaluates}${begins}(?:await\s|\(|str\(|compile\(|String\(|bytes\()*[$@]?([A-Za-z_]\w{0,40})`,
  "g"
)
const named = new RegExp(String.raw`[$@]?([A-Za-z_]\w{0,40})\s?=(?!=)\s?[^;\n]{0,80}?${fetched}`, "g")

/** What is called with it once it is there. */
const called = /\.then\(\s?(?:async\s)?\(?([A-Za-z_]\w{0,40})\)?\s?=>/g

/** It is given a text of the program's own. */
const isOwnText = (name: string, text: string): boolean =>
  new RegExp(
    String.raw`(?<![\w$.])[$@]?${name}\s?=\s?(?:[rbf]?(["'])(?!\1)|\`(?![^\`]*\b(?:curl|wget)\b))`
  ).test(text)

/** More names than these are not followed. */
const maxNames = 100

const namesIn = (pattern: RegExp, text: string): readonly string[] => {
  const names: string[] = []
  for (const [, name = ""] of text.matchAll(pattern)) if (names.push(name) >= maxNames) break
  return names
}

/** Without one of these nothing in it goes to the network. */
const mayFetch = /:\/\/|\b(?:fetch|curl|wget)\b|url|http/i

export const runsFetched = (text: string): boolean => {
  if (!mayFetch.test(text) || asksOnlyHere(text)) return false
  if (included.test(text)) return true
  if (!anyFetched.test(text)) return false
  if (atOnce.test(text) || handedOn.test(text)) return true
  if (namesIn(ofName, text).some((name) => !isOwnText(name, text))) return true
  return [...namesIn(named, text), ...namesIn(called, text)].some((name) =>
    new RegExp(String.raw`${runs}[$@]?${name}\s?[,)]`).test(text)
  )
}
