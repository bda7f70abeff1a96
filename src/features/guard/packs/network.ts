/** Pack `network`: firewalls, interfaces and what else decides who is heard. */
import { rows, type Tools, tools, words } from "./table.ts"

export const networkTools: Tools = {
  ...tools("iptables ip6tables iptables-legacy ebtables arptables", () => ({
    rows: rows("network", [
      /^/,
      "empties or opens the firewall",
      { with: / (?:-F|-X|-Z|--flush|--delete-chain|-P|--policy) / }
    ])
  })),
  ...tools("nft", () => ({ rows: rows("network", [/^(?:flush|delete|destroy)\b/, "empties the firewall"]) })),
  ...tools("ufw", () => ({
    rows: rows("network", [/^(?:disable|reset|default allow)\b/, "opens the firewall"])
  })),
  ...tools("firewall-cmd", () => ({
    rows: rows("network", [
      /^/,
      "changes the firewall",
      { with: / --(?:panic-on|complete-reload|remove-\S+|reset-to-defaults) / }
    ])
  })),
  ...tools("pfctl", () => ({
    rows: rows("network", [/^/, "empties or opens the firewall", { with: / (?:-F|-d)\w* / }])
  })),
  ...tools("netsh", () => ({
    rows: rows("network", [
      /^(?:advfirewall (?:reset|set \S+ state off)|int(?:erface)? ip reset|winsock reset)/,
      "opens the firewall"
    ])
  })),
  ...tools("ip", () => ({
    valued: words("-n -netns -f -family"),
    rows: rows("network", [
      /^(?:link (?:set .*\bdown\b|del\w* )|route (?:flush|del\w* default)|addr(?:ess)? flush|netns del\w*)/,
      "takes the network down"
    ])
  })),
  ...tools("ifconfig", () => ({ rows: rows("network", [/ down$/, "takes the network down"]) })),
  ...tools("ifdown", () => ({ rows: rows("network", [/^/, "takes the network down"]) })),
  ...tools("nmcli", () => ({
    rows: rows("network", [
      /^(?:networking off|radio \w+ off|con\w* (?:del\w*|down)|dev\w* (?:dis\w*|del\w*))/,
      "takes the network down"
    ])
  })),
  ...tools("route", () => ({
    rows: rows("network", [/^(?:-?flush|del\w* default|-f)/, "takes the network down"])
  })),
  ...tools("setenforce", () => ({
    rows: rows("network", [/^(?:0|Permissive)/i, "switches a protection of the system off"])
  })),
  ...tools("csrutil spctl", () => ({
    rows: rows("network", [/^disable|^/, "switches a protection of the system off", { with: /disable/ }])
  }))
}
