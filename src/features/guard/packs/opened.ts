/** Packs `infrastructure` and `containers`: what opens a server, what is stored or a cluster to everybody. */
import { type Row, rows } from "./table.ts"

/** Behind these ports stands what nobody lets the whole world ask: databases, caches, engines, and shells of a machine. */
const guardedPort =
  "(?:22|1433|1521|2375|2376|2379|3306|3389|5432|5439|5984|6379|8086|9042|9200|9300|11211|26257|27017)(?!\\d)"
const everyPort = "(?:-1|all|\\*|0-|1-)"
const everybody = "(?:0\\.0\\.0\\.0/0|::/0)"

/** `aws ec2 authorize-security-group-ingress`. */
const opensGroup = new RegExp(
  `^(?=.*${everybody})(?=.*(?:--protocol[= ](?:-1|all) |IpProtocol["']?[=:] ?["']?-1|--port[= ](?:${everyPort}|${guardedPort})|FromPort["']?[=:] ?(?:${guardedPort}|0 ?,)))`
)

/** `gcloud compute firewall-rules create`. */
const opensFirewall = new RegExp(
  `^(?=.*--source-ranges[= ]\\S*${everybody})(?=.*--(?:allow|rules)[= ](?:\\S*,)?(?:(?:all|tcp|udp)[, ]|(?:tcp|udp):(?:0-|1-|${guardedPort})))`
)

/** `gcloud sql instances patch`. */
const opensInstance = new RegExp(` --authorized-networks[= ]\\S*${everybody}`)

/** `az network nsg rule create`. */
const opensSecurityGroup = new RegExp(
  `^(?!.* --access[= ]Deny)(?=.* --source-address-prefix(?:es)?[= ](?:\\*|Internet|Any|${everybody}) )(?=.* --destination-port-ranges?[= ](?:\\S+ )*?(?:\\* |${guardedPort}))`,
  "i"
)

/** `az sql server firewall-rule create`. */
const opensServer = /^(?=.* 0\.0\.0\.0 )(?=.* 255\.255\.255\.255 )/

/** `az storage container set-permission`. */
const opensContainer = / --(?:public-access[= ](?:container|blob)|allow-blob-public-access[= ]true) /

/** A bucket that anybody may read, or write to. */
const publicAcl = / --acl[= ](?:public-read(?:-write)?|authenticated-read) /
const deletesForAll = new RegExp(`^(?=.* --delete )(?=.*${publicAcl.source})`)
/** What keeps a bucket from being opened by mistake is taken away. */
const unblocksPublic =
  /(?:BlockPublicAcls|IgnorePublicAcls|BlockPublicPolicy|RestrictPublicBuckets)["']?[=:] ?false/i
const publicPolicy = /^(?=.*"Effect"\s*:\s*"Allow")(?=.*"Principal"\s*:\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*"))/s
const anybody = /\ball(?:Authenticated)?Users\b|public-read/i

/** Everybody who can reach the cluster, whoever they are. */
const anonymous = / --(?:user|group)[= ]system:(?:anonymous|unauthenticated|authenticated) /

const behind = "opens what is behind it to everybody"
const database = "opens the database to everybody"
const bucket = "opens the bucket to everybody"

/** By the tool whose table they stand in. */
export const opened = {
  aws: (): readonly Row[] => [
    ...rows(
      "cloud-storage",
      [
        /^s3 sync\b/,
        "deletes what the source does not have, and shows the rest to everybody",
        { with: deletesForAll }
      ],
      [/^s3api (?:put-bucket-acl|create-bucket)\b/, bucket, { with: publicAcl }],
      [/^s3api put-bucket-policy\b/, bucket, { with: publicPolicy }],
      [/^s3(?:api|control) put-public-access-block\b/, bucket, { with: unblocksPublic }]
    ),
    ...rows(
      "cloud",
      [
        /^ec2 (?:authorize-security-group-ingress|modify-security-group-rules)\b/,
        behind,
        { with: opensGroup }
      ],
      [
        /^(?:rds|redshift|neptune|docdb|dms) (?:create|modify|restore)-/,
        database,
        { with: / --publicly-accessible / }
      ],
      [
        /^(?:lambda|sns|sqs|events) add-permission\b/,
        "lets everybody call it",
        { with: / --principal[= ]\* / }
      ]
    )
  ],
  gcloud: (): readonly Row[] => [
    ...rows("cloud-storage", [
      /^(?:alpha |beta )?storage buckets (?:add-iam-policy-binding|update)\b/,
      bucket,
      { with: anybody }
    ]),
    ...rows(
      "cloud",
      [/^compute firewall-rules (?:create|update)\b/, behind, { with: opensFirewall }],
      [/^sql instances (?:patch|create)\b/, database, { with: opensInstance }]
    )
  ],
  gsutil: (): readonly Row[] =>
    rows("cloud-storage", [/^(?:iam|acl|defacl) (?:ch|set)\b/, bucket, { with: anybody }]),
  az: (): readonly Row[] => [
    ...rows("cloud-storage", [
      /^storage (?:container|account) /,
      "opens what is stored to everybody",
      { with: opensContainer }
    ]),
    ...rows(
      "cloud",
      [/^network nsg rule (?:create|update)\b/, behind, { with: opensSecurityGroup }],
      [
        /^(?:sql|postgres|mysql|mariadb) (?:\S+ )?firewall-rule (?:create|update)\b/,
        database,
        { with: opensServer }
      ]
    )
  ],
  mc: (): readonly Row[] =>
    rows("cloud-storage", [/^(?:anonymous|policy) set(?:-json)? (?!private|none)/, bucket]),
  kubectl: (): readonly Row[] =>
    rows("clusters", [
      /^create (?:cluster)?rolebinding\b/,
      "gives rights to everybody who can reach the cluster",
      { with: anonymous }
    ])
}
