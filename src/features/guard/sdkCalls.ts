/** What a program has a cloud delete through the library of that cloud, and what an object mapper deletes of a table. */
import { ownHost } from "./ownMachine.ts"
import type { RuleId } from "./rule.ts"

const library =
  /\b(?:aio)?boto3\b|\baws-sdk\b|\bAws::|\bgoogle\.cloud\b|@google-cloud\/|\bazure\.(?:storage|mgmt|identity|cosmos)\b|@azure\//
const ofStorage =
  /\.(?:objects|object_versions)\s?(?:\.(?:all\(\)|filter\([^()\n]{0,200}\))\s?)?\.(?:delete\(|batch_delete!)|\.delete_(?:bucket|object|blob|container)s?\(|\.delete(?:Bucket|Objects?|Blob|Container)\(|\bDelete(?:Bucket|Objects?)Command\s?\(|\b(?:bucket|blob|container_client)(?:\([^()\n]{0,100}\))?\.delete\(/
const ofCloud =
  /\.(?:delete|terminate|purge|deregister|begin_delete)_(?!message|item|tag|metric)[a-z]\w{0,60}\(|\b(?:Table|Queue|Instance|Stack|Topic|Volume|Snapshot|DBInstance)\([^()\n]{0,100}\)\.(?:delete|terminate|purge)\(|\b(?:Delete|Terminate|Purge|Deregister)(?!Message|Item|Tag|Metric)[A-Z]\w{0,60}Command\s?\(/
/** It only asks whether it might, or speaks with what stands in for the cloud. */
const trying = new RegExp(
  String.raw`\bDryRun["']?\s?[=:]\s?[Tt]rue|\bmock_\w{2,20}\b|\bmoto\b|\bendpoint(?:_url|Url)?["']?\s?[=:]\s?["']https?://${ownHost}(?::\d+)?(?:/|["'])`
)
const everyRow = /\.objects\s?\.all\(\)\s?\.delete\(|\b[A-Z]\w{0,60}\.(?:delete_all|destroy_all)\b/

export const sdkCall = (text: string): { readonly rule: RuleId; readonly does: string } | undefined => {
  if (!/delete|terminate|purge|deregister|destroy/i.test(text)) return undefined
  const isOfCloud = library.test(text)
  if (isOfCloud && trying.test(text)) return undefined
  if (isOfCloud && ofStorage.test(text))
    return { rule: "cloud-storage", does: "deletes objects or buckets in remote storage" }
  if (isOfCloud && ofCloud.test(text)) return { rule: "cloud", does: "deletes it in the cloud" }
  return everyRow.test(text) && !/:memory:|[_/.-]tests?\b/.test(text)
    ? { rule: "databases", does: "deletes every row" }
    : undefined
}
