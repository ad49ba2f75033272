// Where a browser takes no cookies, this page itself keeps what proves its seats, until it is closed or loaded again. In
// all other browsers only cookies prove a seat, which no script can read.
import { storageProblem } from '../browser/storage'

const HEADER = 'seat-proof'
const MOST = 16 // the server reads no more

let needed: boolean | null = null
const proofs: string[] = []

/** The proofs as text, '' if there are none yet; null where cookies do it. */
export function seatProofs(): string | null {
  needed ??= storageProblem() !== null
  return needed ? proofs.join(' ') : null
}

/** The header of a request that may give, or need, a seat. */
export function proofHeader(): Record<string, string> {
  const text = seatProofs()
  return text === null ? {} : { [HEADER]: text }
}

/** Keeps the proofs of new seats. */
export function keepProofs(response: Response) {
  const given = seatProofs() === null ? null : response.headers.get(HEADER)
  for (const proof of given?.split(/[\s,]+/) ?? [])
    if (!proofs.includes(proof) && proofs.push(proof) > MOST) proofs.shift()
}
