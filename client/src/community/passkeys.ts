// Passkeys: what this browser's authenticator makes, and proves that it has, to bring an account back.
import { ApiError, errorMessages, fetchJson, postOnce } from '../net/api'
import { texts } from '../i18n/late'
import type {
  AccountState,
  PasskeyRegistration,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeyAssertion,
} from '../wire'
import { note } from './account'

/** Whether passkeys can be used here: they need encryption or this machine itself, a name instead of numbers, and no frame. */
export function passkeysWork(): boolean {
  try {
    return (
      isSecureContext &&
      'PublicKeyCredential' in window &&
      'credentials' in navigator &&
      top === window &&
      !/^[\d.]+$|:/.test(location.hostname)
    )
  } catch {
    return false
  }
}

/** Makes a passkey for this browser's account. Throws a DOMException if the player stops it. */
export async function addPasskey(): Promise<AccountState> {
  const options = await fetchJson<PasskeyCreationOptions>('/api/account/passkey/options', undefined, 'POST')
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: utf8(options.challenge),
      rp: { id: options.rp_id, name: 'Ratscrew' },
      user: { id: utf8(options.user), name: options.name, displayName: options.name },
      pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: options.exclude.map((id) => ({ type: 'public-key', id: bytes(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
    },
  })) as PublicKeyCredential
  const response = made.response as AuthenticatorAttestationResponse
  const body: PasskeyRegistration = {
    id: made.id,
    client_data: text(response.clientDataJSON),
    attestation: text(response.attestationObject),
  }
  return fetchJson<AccountState>('/api/account/passkey', body)
}

/** Brings back the account of a passkey. Throws a DOMException if the player stops it. */
export async function signIn(): Promise<AccountState> {
  const options = await fetchJson<PasskeyRequestOptions>('/api/sign-in/options', undefined, 'POST')
  const used = (await navigator.credentials.get({
    publicKey: { challenge: utf8(options.challenge), rpId: options.rp_id, userVerification: 'preferred' },
  })) as PublicKeyCredential
  const response = used.response as AuthenticatorAssertionResponse
  const body: PasskeyAssertion = {
    id: used.id,
    user: text(response.userHandle ?? new ArrayBuffer(0)),
    client_data: text(response.clientDataJSON),
    authenticator_data: text(response.authenticatorData),
    signature: text(response.signature),
  }
  return note(await postOnce<AccountState>('/api/sign-in', body))
}

/** Removes all passkeys of this browser's account. */
export const removePasskeys = () => fetchJson<AccountState>('/api/account/passkey', undefined, 'DELETE')

/** What to tell a player whose passkey was not used: that nothing happened, or why it was refused. */
export function passkeyProblems(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [texts.account.passkeyFailed] // stopped by the player, or by the browser
  return error.code === 'passkey' ? [texts.account.passkeyUnknown] : errorMessages(error)
}

const utf8 = (text: string) => new TextEncoder().encode(text)

/** Bytes as base64url, and back. */
function text(data: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(data)))
  return plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}
