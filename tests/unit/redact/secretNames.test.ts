/** Which names announce a secret, and of which kind. */
import { describe, expect, it } from "vitest"
import { secretName } from "../../../src/redact/secretNames.ts"

const kinds: readonly (readonly [kind: string, names: string])[] = [
  [
    "password",
    `password PASSWORD DB_PASSWORD DB_PASS userPass smtp_pass userPassword passwd passphrase SSH_PASSPHRASE passcode pwd dbPwd passwort kennwort contrasena
    mot_de_passe senha REDISCLI_AUTH requirepass masterauth rootpw bind_pw userpw db-pw admin.pw newpw wpa_psk secpsk
    securityPsk psk passwords old_password keyPassword`
  ],
  ["secret", `secret CLIENT_SECRET secrets secretKey secret_key_base key_data keyPem totp_seed otpSeed`],
  [
    "mnemonic",
    `mnemonic MNEMONIC seedPhrase seed_words recovery_phrase backup-words secret_words wallet_phrase walletSeed`
  ],
  ["cookie", `cookie Cookie Set-Cookie`],
  ["aws-secret-key", `aws_secret_access_key SecretAccessKey secretaccesskey awsSecret AWS_SECRET_KEY`],
  [
    "api-key",
    `apiKey X-API-Key app_key access_key private_key encryptionKey encrypt_key decryption_key decryptKey validationKey signing_key
    account_key masterKey shared_key subscription-key authKey deploy_key licenseKey service_key hmacKey aes_key jwtKey fernet_key
    loggedInKey nonce_key consumer_key unsealKey write_key presharedKey sas_key integrationKey instrumentation_key ingest_key
    ingestionKey merchant_key adminKey webhook_key serverKey bot_key sendgridKey datadog_key stripe_key openai_key
    anthropic_key apiKeys`
  ],
  [
    "token",
    `token TOKEN accessToken GITHUB_TOKEN authTokens refresh-token api_bearer bearer BUILD_PASS linePass my_pw PW pass`
  ],
  ["authorization", `authorization Authorization Proxy-Authorization auth x-auth-header`],
  [
    "random-key",
    `gpg_key hostKeys passwordSalt signature sigKey payload_hmac storageKey credential credentials creds aws_creds GITHUB_PAT githubPat
    _app_session`
  ]
]

const none = `PWD OLDPWD oldpwd forgotPassword reset_password showPassword hidePassword change_password togglePassword requirePassword
  requires_password noPassword hasPassword isPassword enterPassword invalid_password wrongPassword incorrectPassword without_password
  publicKey pub_key foreignKey primary_key secondaryKey sortKey partition_key rowKey hash_key rangeKey cacheKey objectKey hotkey monkey turkey
  keymapKey dictKey itemKey listKey queryKey routeKey routingKey lookupKey idempotencyKey dedup_key translationKey messageKey i18nKey
  reactKey childKey parentKey columnKey fieldKey propertyKey indexKey uniqueKey compositeKey naturalKey surrogateKey versionKey commitKey
  buildKey storeKey s3_key fileKey blobKey imageKey assetKey groupKey eventKey sessionKey topicKey traceKey correlationKey hasKey isKey onKey
  getKey setKey byKey noKey theKey notKey anyKey eachKey
  tokens padToken eos_token bosToken unk_token sep_token clsToken mask_token stopToken imageToken special_tokens pageToken nextToken
  previous_token syncToken continuationToken cancelToken cancellationToken designTokens lexer_token syntaxToken startToken endToken
  current_token lastToken firstToken cursorToken maxTokens max_tokens minTokens perToken inputTokens output_tokens promptTokens
  completion_tokens totalTokens reasoning_tokens cachedTokens num_tokens count_tokens budget_tokens extraTokens added_tokens modelTokens
  user.signingkey key keys name path cookies session compass bypassed passenger passes secretary author authored mode cwd salt`

/** With what says which of several it is. */
const qualified: readonly (readonly [kind: string | undefined, names: string])[] = [
  [
    "password",
    "DB_PASSWORD_OLD DB_PASSWORD2 DB_PASSWORD_2 dbPasswordProd password_new db-password-test pg.password.staging DB_PASS_LOCAL"
  ],
  ["secret", "SECRET_1 apiSecretV2 clientSecretV1 STRIPE_SECRET_KEY_LIVE JWT_SECRET_NEW client_secret_dev"],
  ["api-key", "API_KEY_PROD apiKey2 API_KEY_V2_PROD apiKeyBackup"],
  ["token", "API_TOKEN_V2 GITHUB_TOKEN_RW accessTokenQA"],
  ["random-key", "token_prod BEARER_LIVE"],
  [
    undefined,
    `token0 token_1 pass2 pass_2 auth2 oauth2 key1 key_prod sha256 X-Hub-Foo-256 ipv6 md5 base64 resetPassword2 monkey2 cacheKeyV2x
    nextTokenTest tokens2 PWD_OLD isPasswordNew production live`
  ]
]

describe("a name", () => {
  it.each(qualified)("that says which of several it is announces a %s: %s", (kind, names) => {
    const told = names.split(/\s+/).map((name) => [name, secretName(name)])
    expect(told.filter(([, given]) => given !== kind)).toEqual([])
  })

  it.each(kinds)("announces a %s: %s", (kind, names) => {
    const told = names
      .trim()
      .split(/\s+/)
      .map((name) => [name, secretName(name)])
    expect(told.filter(([, given]) => given !== kind)).toEqual([])
  })

  it("of everyday use announces nothing", () => {
    const told = none
      .trim()
      .split(/\s+/)
      .map((name) => [name, secretName(name)])
    expect(told.filter(([, given]) => given !== undefined)).toEqual([])
  })

  it("announces the same when it is met again, also after many others", () => {
    for (let round = 0; round < 2; round++) {
      expect(secretName("refresh_token")).toBe("token")
      expect(secretName("max_tokens")).toBeUndefined()
      for (let at = 0; at < 1100; at++) secretName(`name${at}_token`)
    }
    expect(secretName(`${"x".repeat(100)}_password`)).toBe("password")
  })
})
