/** Files that hold one secret and nothing else: `config/master.key`, `/run/secrets/db`, `.vault_pass`, `initialAdminPassword`. */

const folder = /(?:^|[/\\])(?:secrets?|credentials?|vault)[/\\][\w.@-]{1,80}$/i
const called =
  /(?:^|[/\\])(?:\.?erlang\.cookie|COOKIE|[\w.@-]{0,60}\.(?:key|keyfile|pass|passwd|passphrase|password|passwort|secret|token|pw|psk|seed)|[\w.@-]{0,40}(?:key-?file|secret|passw(?:or)?d|passphrase|passwort|vault[_-]pass|token|api[_-]?key|auth[_-]?key|access[_-]?key|private[_-]?key|psk|pgpass)[\w-]{0,20}(?:\.(?:txt|dat|asc|prod|dev|staging|production|local|old|bak|out))?)$/i
/** Keys that everybody may see, digests of keys, and code. */
const others =
  /pub(?:lic)?(?![a-z])|\.(?:sha\d{0,3}|md5|sum|fingerprint|crt|cer|csr|sig|gpg|enc|lock|[cm]?[jt]sx?|py|rb|go|rs|java|md|html?|css|json|ya?ml|toml|xml|sh|sql|csv|log)$|tokenizer|(?:^|[/\\])(?:etc[/\\]passwd|(?:namespace|ca\.crt))$/i

/** Whether what such a file holds is likely a secret alone. */
export const holdsBareSecret = (path: string): boolean =>
  (called.test(path) || folder.test(path)) && !others.test(path)
