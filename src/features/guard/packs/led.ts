/** What a line leads elsewhere: tunnels that make this machine another's, contexts that are given another meaning. */
import { type Call, textsOf } from "../Call.ts"
import type { Led } from "../shellState.ts"

interface Leads {
  readonly to: Led
  /** Among its words, each between blanks; whatever they are without it. */
  readonly where?: RegExp
}

const forwards: Leads = { to: "machine", where: / -[a-zA-Z\d]*[LDW]|LocalForward|DynamicForward/i }
const cluster: readonly Leads[] = [
  { to: "machine", where: / (?:port-forward|proxy) / },
  { to: "contexts", where: / config (?:set-context|set-cluster|set|rename-context) / }
]
const engine: readonly Leads[] = [{ to: "engine", where: / context (?:use|update|create) / }]
const always: readonly Leads[] = [{ to: "machine" }]
const proxies: readonly Leads[] = [{ to: "machine", where: / proxy / }]

const programs = new Map<string, readonly Leads[]>([
  ["ssh", [forwards]],
  ["autossh", [forwards]],
  ["kubectl", cluster],
  ["oc", cluster],
  ["k", cluster],
  ["docker", engine],
  ["docker-machine", [{ to: "engine" }]],
  ["podman", [{ to: "engine", where: / system connection / }]],
  ["aws", [{ to: "machine", where: / ssm start-session / }]],
  ["gcloud", [{ to: "machine", where: / start-iap-tunnel |^(?=.* ssh ).* -\w*[LD]/ }]],
  ["az", [{ to: "machine", where: / bastion tunnel / }]],
  ["fly", proxies],
  ["flyctl", proxies],
  ["tsh", proxies],
  ["cloudflared", [{ to: "machine", where: / access / }]],
  ["cloud_sql_proxy", always],
  ["cloud-sql-proxy", always],
  ["boundary", always],
  ["chisel", always],
  ["socat", always],
  ["sshuttle", always],
  ["telepresence", always]
])

export const followLed = ({ args, name, state }: Call): void => {
  const known = programs.get(name)
  if (known === undefined) return
  const all = ` ${textsOf(args).join(" ")} `
  for (const { to, where } of known) if (where?.test(all) !== false) state.led.add(to)
}
