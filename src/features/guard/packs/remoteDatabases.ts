/** Databases of a server that is not this machine: what is deleted there others miss. */
import type { Call } from "../Call.ts"
import { saysShared } from "../ownMachine.ts"
import { unknown } from "../script.ts"
import { hostsAsked, nearby } from "./passingDatabases.ts"

/** Names that stand for this machine, or for what runs beside it. */
const beside =
  /^(?:\w+:\/\/(?:[^/@]*@)?)?(?:host\.docker\.internal|[\w.-]+\.(?:localhost|local|test))(?::\d+)?(?:\/|$)/
const ofProduction = /(?:^|_)(?:PROD(?:UCTION)?|PRD|LIVE)(?:_|$)/

/** A server without a dot in its name is one of a stack of containers, unless it says more. */
const isElsewhere = (host: string): boolean =>
  !host.includes(unknown) &&
  !nearby.test(host) &&
  !beside.test(host) &&
  (host.includes(".") || saysShared.test(host))

export const asksElsewhere = (call: Call): boolean =>
  hostsAsked(call).some((host) => isElsewhere(host)) ||
  call.args.some(({ word }) => word.some((part) => part.kind === "variable" && ofProduction.test(part.name)))

const dump = /(?:dump|back-?up)[^/]*$|\.(?:bak|dump|sql\.(?:gz|zst|bz2|xz))$/i

/** `mysql -h db < dump.sql`, `gunzip -c backup.sql.gz | psql -h db`: a dump drops what it makes anew. */
export const isGivenDump = ({ redirects, upstream }: Call): boolean =>
  [
    ...redirects.flatMap(({ operator, target }) => (operator === "<" ? [target] : [])),
    ...upstream.flatMap(({ redirects: own, words }) => [
      ...words.slice(1),
      ...own.flatMap(({ operator, target }) => (operator === "<" ? [target] : []))
    ])
  ].some((word) => dump.test(word.map((part) => (part.kind === "text" ? part.text : unknown)).join("")))
