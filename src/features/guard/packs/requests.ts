/** Requests that delete what a server keeps: search indexes, repositories, records of a domain. */
import { type Rule, textsOf } from "../Call.ts"
import type { Verdict } from "../rule.ts"

const search =
  /:9[23]00\/|\/_(?:all|delete_by_query|snapshot|cluster|index_template|search\/scroll)\b|elastic|opensearch|:8983\/solr|:6333\/collections|:7700\/indexes|:8108\/collections/i
const hosts: readonly (readonly [pattern: RegExp, rule: Verdict["rule"]])[] = [
  [
    /^https:\/\/(?:api\.github\.com|gitlab\.com\/api|api\.bitbucket\.org|registry\.npmjs\.org)\//i,
    "publishing"
  ],
  [
    /^https:\/\/(?:api\.(?:cloudflare|digitalocean|heroku|vercel|fly|linode|vultr|netlify|hetzner)\.|management\.azure\.com|\S+\.googleapis\.com|\S+\.amazonaws\.com|api\.machines\.dev)/i,
    "cloud"
  ],
  [/^https?:\/\/\S*(?:kubernetes|:6443\/api|\/api\/v1\/namespaces\/)/i, "clusters"],
  [
    /:8200\/v1\/|:8500\/v1\/kv|:15672\/api\/(?:queues|exchanges|vhosts)|:5984\/\w|:8082\/topics|:2375\/(?:containers|volumes|images)/,
    "services"
  ]
]

export const requests: Rule = ({ name, args, state }) => {
  if (!/^(?:curl|wget|http|https|xh|httpie)$/.test(name)) return undefined
  const texts = textsOf(args)
  const all = ` ${texts.join(" ")} `
  const deleting =
    / (?:-\w*X|--request|--method)[= ]?DELETE /i.test(all) ||
    / -\w*XDELETE /.test(all) ||
    (name !== "curl" && / DELETE /.test(all))
  const address = texts.find((text) => /:\/\/|^[\w.-]+:\d+\/|^localhost|^:\d+\//.test(text)) ?? ""
  if (
    /\/git\/refs\//.test(address) &&
    / (?:-\w*X|--request|--method)?[= ]?PATCH /i.test(all) &&
    /["']?force["']?\s?[:=]+\s?(?:true|1)\b/.test(all)
  )
    return state.place.off?.includes("force-push")
      ? undefined
      : { rule: "force-push", reason: `\`${name}\` overwrites whatever was pushed there since.` }
  const byQuery = /\/_delete_by_query\b/.test(all)
  if (!deleting && !byQuery) return undefined
  const rule: Verdict["rule"] | undefined =
    search.test(address) && !/\/(?:tmp|test)[\w-]*(?:\/|$)/.test(address)
      ? "services"
      : hosts.find(([pattern]) => pattern.test(address))?.[1]
  return rule === undefined || state.place.off?.includes(rule)
    ? undefined
    : { rule, reason: `\`${name}\` deletes ${address.slice(0, 80)} on the server.` }
}
