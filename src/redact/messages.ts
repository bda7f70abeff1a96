/** What is said about passwords where one might stand: labels of fields, rules, faults. People choose several words for a password, too. */

/** Words of which such a text has one, and a password hardly any. */
const about =
  /(?<!\p{L})(?:pass(?:word|code|phrase)?s?|pw|pwd|secrets?|tokens?|keys?|credentials?|logins?|log|sign|user(?:name)?s?|accounts?|your|you|we|it|must|required?|requires|invalid|incorrect|wrong|forgot(?:ten)?|please|enter(?:ed)?|characters?|chars?|digits?|letters?|least|minimum|maximum|min|max|length|long|short|should|fields?|confirm(?:ed)?|reset|match(?:es)?|cannot|can't|can|could|don't|do|does|doesn't|did|expired?|expires|never|missing|empty|optional|show|hide|strength|contains?|the|this|that|is|are|was|were|be|been|has|have|had|will|not|no|none|for|from|of|if|when|with|without|see|set|use|used|using|stored?|read|changed?|change|updated?|generated?|provided?|default|value|string|type|hash(?:ed)?|encrypted|plain|text|file|env|variable|prompt|label|hint|placeholder|button|bitte|eingeben|geben|ungültig|falsch(?:es)?|muss|müssen|mindestens|zeichen|vergessen|ist|sind|wird|nicht|passwort|kennwort|erforderlich|bestätigen|wiederholen|ändern|mot de passe|votre|doit|requis|oublié|caractères|incorrecte?|invalide|est|contraseña|obligatori[oa]|debe|caracteres|incorrecta|olvidad[oa]|senha|obrigatóri[oa]|deve|inválid[oa]|пароль|должен|символов|неверный|hasło|znaków|musi|minimo|massimo|almeno|caratteri|tekens|tecken|tegn|merkkiä|znaků|mínimo|caractere[s]?|символа|буквы)(?!\p{L})/iu

/** Whether a text of several words is about a secret, and none. */
export const isMessageOf = (text: string): boolean =>
  about.test(text) ||
  text.length > 80 ||
  /[=(){}<>[\]|]\s|\s[=(){}<>[\]|/]|^[^\p{L}\d]|\.{3}|[.:…]$/u.test(text)
