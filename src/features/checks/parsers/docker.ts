/** Docker, Compose and Kubernetes. */
import { byLine } from "../lines.ts"

export const docker = byLine({
  family: "docker",
  kind: "trace",
  marks:
    /Error response from daemon|failed to solve|Cannot connect to the Docker|^Error from server|no configuration file provided/m,
  rules: [
    [/Error response from daemon: (.+)$/, ([, message = ""]) => ({ code: "daemon", message })],
    [/(?:^|ERROR: )failed to solve: (.+)$/, ([, message = ""]) => ({ code: "build", message })],
    [
      /^(Cannot connect to the Docker daemon.*|no configuration file provided.*)$/i,
      ([, message = ""]) => ({ code: "docker", message })
    ],
    [
      /^Error from server(?: \((\w+)\))?: (.+)$/,
      ([, code = "kubernetes", message = ""]) => ({ code, message })
    ]
  ]
})
