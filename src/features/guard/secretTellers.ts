/** Programs that tell secrets which lie in no file of their own text: stores of passwords, clouds, clusters, keyrings. */
import { readWords, words } from "./packs/table.ts"

interface Tells {
  /** What its operands begin with. */
  readonly verbs: RegExp
  /** Only where this stands among the words; and not where that does. */
  readonly with?: RegExp
  readonly without?: RegExp
}

interface Teller {
  readonly rows: readonly Tells[]
  readonly valued?: ReadonlySet<string>
}

/** A name that says that a secret is what it stands for. */
const secretish = String.raw`\S*(?:pass|secret|token|api_?key|private|credential)\S*`
/** A part of what is kept that is no secret. */
const plainField =
  "(?:user(?:name)?|email|host(?:name)?|port|ur[il]|website|server|region|name|database|version|id)"

const kubectl: Teller = {
  valued: words("-n --namespace --context --cluster --kubeconfig -l --selector --field-selector"),
  rows: [
    {
      verbs: /^get (?:\S*,)?secrets?(?:[ /.,]|$)/,
      with: / (?:-o|--output)[= ]?(?:json |yaml |(?:jsonpath|go-template|template|custom-columns)\S*=?[\s\S]{0,300}?\.data\b)| --template[= ][\s\S]{0,300}?\.data\b/,
      // A certificate is there to be shown.
      without: /\.data\S{0,4}\b(?:tls|ca)\\{0,2}\.crt/
    },
    {
      verbs: /^config view\b/,
      with: / --raw(?:=true)? /,
      without: /jsonpath[\s\S]{0,200}(?:\.server|current-context|\.name|certificate-authority)/
    },
    { verbs: /^extract secrets?\b/, with: / --to[= ]- / },
    { verbs: /^whoami\b/, with: / (?:-t|--show-token) / }
  ]
}

const gpg: Teller = { rows: [{ verbs: /^/, with: / --export-secret-/ }] }
const loggedIn: Teller = {
  rows: [
    { verbs: /^auth token\b|^config get token\b/ },
    { verbs: /^auth status\b/, with: / (?:-t|--show-token) / }
  ]
}
const terraform: Teller = {
  rows: [{ verbs: new RegExp(`^output ${secretish}`, "i"), with: / -raw / }]
}
const store: Teller = {
  rows: [
    {
      verbs:
        /^(?:show )?(?!(?:show|init|ls|list|grep|find|search|insert|add|edit|generate|rm|remove|delete|mv|rename|cp|copy|git|help|version|otp|sync|setup|mounts|config|audit|create|fsck)(?: |$))\S/,
      without: / (?:-c\d*|--clip(?:=\S*)?) /
    }
  ]
}
const vault: Teller = {
  rows: [
    {
      verbs: /^kv get\b|^read \S*(?:secret|creds|kv)\S*|^print token\b/,
      without: new RegExp(` -field[= ]${plainField} `)
    }
  ]
}

const tellers: Readonly<Record<string, Teller>> = {
  "ansible-vault": { rows: [{ verbs: /^view\b/ }] },
  aws: {
    valued: words("--query --secret-id --name --path"),
    rows: [
      {
        verbs: /^secretsmanager (?:batch-)?get-secret-value\b/,
        without:
          / --query[= ](?!\S*Secret(?:String|Binary))\S*(?:ARN|Name|VersionId|VersionStages|CreatedDate)\b/
      },
      {
        verbs: /^ssm get-parameters?(?:-by-path|-history)?(?: |$)/,
        with: / --with-decryption /,
        without: / --query[= ](?!\S*Value)\S*\.(?:Name|Version|Type|ARN|LastModifiedDate)\b/
      },
      { verbs: /^configure (?:export-credentials|get (?:\S+\.)?aws_(?:secret|session)\w*)/ }
    ]
  },
  az: {
    valued: words("-n --name --vault-name --query -g --resource-group --subscription --id"),
    rows: [
      { verbs: /^keyvault secret show\b/, without: / --query[= ](?!\S*value)| (?:-o|--output)[= ]none / },
      { verbs: /^account get-access-token\b/, without: / --query[= ](?!\S*accessToken)/ },
      { verbs: /^storage account show-connection-string\b|^acr credential show\b/ }
    ]
  },
  bao: vault,
  bw: { rows: [{ verbs: /^get (?:password|totp|item|notes)\b|^list items\b/ }] },
  doppler: { rows: [{ verbs: /^secrets(?: get\b|$)/, without: / --only-names / }] },
  gcloud: {
    rows: [
      { verbs: /^(?:alpha |beta )?secrets versions access\b/, without: / --out-file[= ]/ },
      { verbs: /^auth (?:application-default )?print-/ }
    ]
  },
  gh: loggedIn,
  git: { rows: [{ verbs: /^credential(?:-\S+)? (?:fill|get)\b/ }] },
  glab: loggedIn,
  gopass: store,
  gpg,
  gpg2: gpg,
  heroku: { rows: [{ verbs: new RegExp(`^config:get (?:${secretish}|DATABASE_URL)`, "i") }] },
  k: kubectl,
  kubectl,
  lpass: { rows: [{ verbs: /^show\b/, without: / (?:-c|--clip|--username|--url|--name|--id) / }] },
  oc: kubectl,
  op: {
    rows: [
      { verbs: /^read\b/, without: new RegExp(`/${plainField} `) },
      { verbs: /^item get\b/, with: / (?:--reveal|--otp) / }
    ]
  },
  pass: store,
  "secret-tool": { rows: [{ verbs: /^lookup\b/ }] },
  security: { rows: [{ verbs: /^find-(?:generic|internet)-password\b/, with: / -\w*[wg]\w* / }] },
  sops: {
    rows: [
      {
        verbs: /^/,
        with: / (?:-d|--decrypt|decrypt) /,
        without: / (?:-i|--in-place|--output(?:=\S*)?) /
      }
    ]
  },
  terraform,
  tofu: terraform,
  vault
}

/** Whether a program of this name, told this, prints a secret. */
export const tellsSecret = (name: string, texts: readonly string[]): boolean => {
  const teller = Object.hasOwn(tellers, name) ? tellers[name] : undefined
  if (teller === undefined) return false
  const { all, verbs } = readWords(texts, teller.valued)
  return teller.rows.some(
    (row) => row.verbs.test(verbs) && (row.with?.test(all) ?? true) && row.without?.test(all) !== true
  )
}
