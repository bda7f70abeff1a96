/** What passwords, keys and tokens are called in other languages than English: as names of members, labels and nouns of sentences. */
import type { SecretName } from "./secretNames.ts"

/** In lower case, without accents where people leave them out. */
const passwords =
  "passwort|kennwort|zugangswort|mots? de passe|contrase(?:ñ|n)as?|clave|senha|palavra-passe|wachtwoord|l(?:ö|o)senord(?:et)?|adgangskode[nr]?|kodeord(?:et)?|passord(?:et)?|salasana|heslo|has(?:ł|l)o|jelsz(?:ó|o)|parola|(?:ş|s)ifre(?:si)?|lozinka|(?:kata )?sandi|mật khẩu|парол(?:ь|я|ю|ем|і)|κωδικός(?: πρόσβασης)?|סיסמה|סיסמא|كلمة (?:المرور|السر)|رمز عبور|รหัสผ่าน|पासवर्ड|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|패스워드"
const keys =
  "(?:api|zugriffs|geheim)[- ]?schl(?:ü|ue)ssel|cl(?:é|e)(?: d['’])?[ -]?(?:api|secr(?:è|e)te)|(?:clave|chave)(?: de)?(?: la| l[oa]s)? (?:api|acesso|acceso|secreta)|chiav[ei](?: d['’])?(?: ?api| segreta| di accesso)|klucz api|ключ(?: доступа)?(?: к)?(?: api)?|api[- ]?ключ|api ?(?:密钥|密鑰|キー|키)|密钥|密鑰|秘钥|秘密鍵"
const tokens =
  "jeton(?: d['’]accès)?|令牌|トークン|токен(?:а|ом)?|토큰|секрет(?:ный ключ)?|geheimnis|geheimes? (?:token|wort)|segredo|シークレット|시크릿"

const whole: readonly (readonly [SecretName, RegExp])[] = [
  ["password", new RegExp(`(?:${passwords})$`)],
  ["api-key", new RegExp(`(?:${keys})$`)],
  ["token", new RegExp(`(?:${tokens})$`)]
]

/** The kind of secret that a name with letters beyond English announces. */
export const foreignName = (name: string): SecretName | undefined => {
  const plain = name.toLowerCase().replace(/[-_.\s]+/g, " ")
  return whole.find(([, pattern]) => pattern.test(plain))?.[0]
}

/** Whether a text is such a name and nothing else, as what a page shows in its user's language. */
export const isForeignName = (text: string): boolean => wholeName.test(text.toLowerCase())

/** Any of them, where it stands in a text in lower case. */
export const foreignWord = `(?:(${passwords})|(?:${keys})|(?:${tokens}))`

const wholeName = new RegExp(`^${foreignWord}$`)
