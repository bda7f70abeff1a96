/** Files that hold secrets, told by where they lie and what they are called. */

import { fitsGlob } from "./history.ts"

/** No system opens a longer one. */
const longestPath = 4096

const harmlessNames = /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema)(?:$|[._-])/i
const secretNames = new Set([
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  "credentials.json",
  ".credentials.json",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519"
])
const keyFile = /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/i
const publicPart = /cert|(?:^|[._-])(?:ca|chain|fullchain|public|pub)(?:$|[._-])/i
const secretEnds = [
  "/.docker/config.json",
  "/.kube/config",
  "/.config/gh/hosts.yml",
  "/.config/gcloud/application_default_credentials.json",
  "/.azure/msal_token_cache.json",
  "/.codex/auth.json",
  "/.gemini/oauth_creds.json",
  "/.aws/credentials",
  "/etc/shadow"
]
/** Whole directories of them. */
const secretFolder = /(?:^|\/)\.(?:aws|gnupg|azure|config\/gcloud)(?:\/\*?)?$/
const sshFile = /(?:^|\/)\.ssh(?:\/([^/]*))?$/
const sshHarmless = /\.pub$|^known_hosts|^config$|^authorized_keys$/

/** What a pattern of a few names may come to. */
const ofPatterns = [".env", "id_rsa", "id_ed25519", ".netrc", ".npmrc", ".pgpass", ".git-credentials"]

/** Whether a pattern in the last part of a path fits one of them, where it says more than that it fits everything. */
const fitsSecret = (base: string): boolean =>
  /[*?[]/.test(base) &&
  base.length < 30 &&
  /^(?:\.[\w?*[]|id_)/.test(base) &&
  !/^\.\*$/.test(base) &&
  ofPatterns.some((name) => fitsGlob(base, name))

export const isSecretPath = (text: string): boolean => {
  if (text.length > longestPath) return false
  if (/^\/proc\/(?:self|thread-self|\d+|\*)\/environ$/.test(text)) return true
  const path = text.replace(/\/+$/, "")
  const base = path.slice(path.lastIndexOf("/") + 1)
  if (/^\.env(?:\.|$)|\.env$|^\.envrc$/.test(base)) return !harmlessNames.test(base)
  if (secretNames.has(base) || fitsSecret(base)) return true
  if (keyFile.test(base)) return !publicPart.test(base)
  if (/^service[-_]account.*\.json$/i.test(base) || /^secrets?\.(?:ya?ml|json|toml)$/i.test(base)) return true
  const inSsh = sshFile.exec(path)
  if (inSsh) return !sshHarmless.test(inSsh[1] ?? "")
  return secretFolder.test(path) || secretEnds.some((end) => `/${path}`.endsWith(end))
}

/** Variables that have no business in an address or a body: what uses them takes them in a header, or by itself. */
const secretVariable =
  /^(?:AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|GITHUB_TOKEN|GH_TOKEN|GITLAB_TOKEN|NPM_TOKEN|ANTHROPIC_API_KEY|OPENAI_API_KEY|GEMINI_API_KEY|DATABASE_URL|\w*PRIVATE_KEY)$/

/** Told by its name alone; only where a file of secrets was read into the shell. */
const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET|PASS|PASSWD|PASSWORD|PWD|CREDENTIALS?)(?:_|$)/i

export const isSecretName = (name: string): boolean => secretName.test(name)

export const isSecretVariable = (name: string): boolean => secretVariable.test(name)
