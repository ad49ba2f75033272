// This browser's account: a public name under which its games are kept. The key to it is a cookie that no script can read.
import { replaceAddress } from '../browser/address'
import { fetchJson, postOnce } from '../net/api'
import { roomApiPath, roomToOffer, savedSeats } from '../net/rooms'
import { saveSettings, settings } from '../settings.svelte'
import type { AccountPass, AccountState, DeletedAccount, LinkedSeats, NewAccount, NewName } from '../wire'
import { SITE } from '../base'

/** Whether the server keeps accounts, and this browser's; the start page knows from then on whether there is one. */
export const fetchAccount = async () => note(await fetchJson<AccountState>('/api/account'))

/** Keeps the games of this browser, from the next one at its present table on. */
export async function keepGames(name: string): Promise<AccountState> {
  const body: NewAccount = { name }
  const state = await postOnce<AccountState>('/api/account', body)
  const room = roomToOffer()
  if (room) await linkSeats(room).catch(() => {}) // it may be gone
  return note(state)
}

export async function rename(name: string): Promise<AccountState> {
  const body: NewName = { name }
  return note(await fetchJson<AccountState>('/api/account/name', body))
}

/** A link with which another device can hold this account, once and within ten minutes. */
export const deviceLink = async () =>
  `${SITE}/me#pass=${(await fetchJson<AccountPass>('/api/account/pass', undefined, 'POST')).text}`

/** The pass in the address, which is removed from it; null if there is none. */
export function takePass(): string | null {
  const pass = /^#pass=(.+)$/.exec(location.hash)?.[1] ?? null
  if (pass) replaceAddress(location.pathname)
  return pass
}

export async function redeemPass(text: string): Promise<AccountState> {
  const body: AccountPass = { text }
  return note(await postOnce<AccountState>('/api/account/device', body))
}

export const signOutOthers = async () => note(await fetchJson<AccountState>('/api/account/sign-out', undefined, 'POST'))

/** Deletes the account; true if nothing of it is left in the server's files. */
export async function deleteAccount(): Promise<boolean> {
  const { cleared } = await fetchJson<DeletedAccount>('/api/account', undefined, 'DELETE')
  note({ community: true, account: null })
  return cleared
}

/** Games that are dealt to these seats from now on are kept, too. */
async function linkSeats(room: string) {
  const body: LinkedSeats = { player_ids: savedSeats(room) }
  await fetchJson<AccountState>(roomApiPath(room, 'account'), body)
}

/** Stores in the settings whether this browser has an account. */
export function note(state: AccountState): AccountState {
  const account = state.account !== null
  if (account !== settings.account) {
    settings.account = account
    saveSettings()
  }
  return state
}
