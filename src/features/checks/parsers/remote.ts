/** Answers of a server that refused: HTTP statuses, GitHub's command line, connections that did not come about. */
import { byLine } from "../lines.ts"

export const remote = byLine({
  family: "remote",
  kind: "trace",
  marks:
    /HTTP[ /]?[\d.]* ?[45]\d\d|GraphQL: |failed: |E(?:CONNREFUSED|NOTFOUND|TIMEDOUT|PERM|ADDRINUSE|ACCES|CONNRESET)|^curl: |Could not resolve|"status": ?"?4\d\d/,
  rules: [
    [/^(?:gh: )?(.+?) \(HTTP (\d{3})\)/, ([, message = "", code = ""]) => ({ code, message })],
    [
      /^(?:pull request create failed: )?GraphQL: (.+?)(?: \((\w+)\))?$/,
      ([, message = ""]) => ({ code: "graphql", message })
    ],
    [/^curl: \((\d+)\) (.+)$/, ([, code = "", message = ""]) => ({ code: `curl ${code}`, message })],
    [
      /\b(?:(listen|connect|getaddrinfo|bind|open|mkdir|unlink|spawn) )?(ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EPERM|EADDRINUSE|ECONNRESET|EACCES):? ?(.{0,120})/,
      ([message, , code = ""]) => ({ code, message: message.trim() })
    ]
  ]
})
