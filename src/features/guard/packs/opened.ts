/** What opens a server or what is stored to everybody: patterns for the tables of those whose command lines say it. */

/** Behind these ports stands what nobody lets the whole world ask: databases, caches, engines, and shells of a machine. */
const guardedPort =
  "(?:22|1433|1521|2375|2376|2379|3306|3389|5432|5439|5984|6379|8086|9042|9200|9300|11211|26257|27017)(?!\\d)"
const everyPort = "(?:-1|all|\\*|0-|1-)"
const everybody = "(?:0\\.0\\.0\\.0/0|::/0)"

/** `aws ec2 authorize-security-group-ingress`. */
export const opensGroup = new RegExp(
  `^(?=.*${everybody})(?=.*(?:--protocol[= ](?:-1|all) |IpProtocol["']?[=:] ?["']?-1|--port[= ](?:${everyPort}|${guardedPort})|FromPort["']?[=:] ?(?:${guardedPort}|0 ?,)))`
)

/** `gcloud compute firewall-rules create`. */
export const opensFirewall = new RegExp(
  `^(?=.*--source-ranges[= ]\\S*${everybody})(?=.*--(?:allow|rules)[= ](?:\\S*,)?(?:(?:all|tcp|udp)[, ]|(?:tcp|udp):(?:0-|1-|${guardedPort})))`
)

/** `gcloud sql instances patch`. */
export const opensInstance = new RegExp(` --authorized-networks[= ]\\S*${everybody}`)

/** `az network nsg rule create`. */
export const opensSecurityGroup = new RegExp(
  `^(?!.* --access[= ]Deny)(?=.* --source-address-prefix(?:es)?[= ](?:\\*|Internet|Any|${everybody}) )(?=.* --destination-port-ranges?[= ](?:\\S+ )*?(?:\\* |${guardedPort}))`,
  "i"
)

/** `az sql server firewall-rule create`. */
export const opensServer = /^(?=.* 0\.0\.0\.0 )(?=.* 255\.255\.255\.255 )/

/** A bucket that anybody may read, or write to. */
export const publicAcl = / --acl[= ](?:public-read(?:-write)?|authenticated-read) /
/** What keeps a bucket from being opened by mistake is taken away. */
export const unblocksPublic =
  /(?:BlockPublicAcls|IgnorePublicAcls|BlockPublicPolicy|RestrictPublicBuckets)["']?[=:] ?false/i
export const publicPolicy =
  /(?=.*"Effect"\s*:\s*"Allow")(?=.*"Principal"\s*:\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*"))/
export const anybody = /\ball(?:Authenticated)?Users\b|public-read/i

/** Everybody who can reach the cluster, whoever they are. */
export const anonymous = / --(?:user|group)[= ]system:(?:anonymous|unauthenticated|authenticated) /
