/** What people write in a sentence, and what they do not. */

/** A word that nobody writes in a sentence: with a digit, a sign or capitals within it. */
export const isNoWord = (value: string): boolean =>
  value.length >= 6 &&
  /[A-Za-z]/.test(value) &&
  (/\d/.test(value) || /[!@#$%^&*+~?=].|[A-Z].*[a-z][A-Z]/.test(value.slice(0, -1))) &&
  !/^[\w.-]+\(|^[a-z]+:\/\/|^[~./]|^v?\d+(?:\.\d+)+$|\.(?:ts|js|py|go|rs|md|json|ya?ml|txt|env)$|^[A-Z_]+$|^[\w-]+\/[\w./-]+$|^id_(?:rsa|dsa|ecdsa|ed25519)$|^\w+(?:\.\w+)+$/.test(
    value
  ) &&
  !/^(?:[a-z]+-)+[a-z]+\d{0,2}$|^(?:\d+(?:st|nd|rd|th|ms|s|kb|mb|px|x)?)$|^(?:utf-?8|base64|sha-?\d+|oauth2?|http2?|rfc\d+|md5|x509|p256|ed25519|hs256|rs256|es256|aes-?\d+)/i.test(
    value
  )
