// Where a browser takes no cookies, this page itself keeps what proves its seats, until it is closed or loaded again. In
// all other browsers only cookies prove a seat, which no script can read.
import { storageProblem } from '../browser/storage'

const HEADER = 'seat-proof'
const MOST = 1100 // characters: 16 proofs, of which the server reads no more

/** The proofs, the newest first, '' if there are none yet; null where cookies do it. */
export let seatProofs: string | null = storageProblem() && ''

/** The header of a request that may give, or need, a seat. */
export const proofHeader = (): Record<string, string> => (seatProofs === null ? {} : { [HEADER]: seatProofs })

/** Keeps the proofs of new seats. */
export function keepProofs(response: Response) {
  const given = response.headers.get(HEADER)
  if (given && seatProofs !== null) seatProofs = `${given.replace(/,/g, '')} ${seatProofs}`.slice(0, MOST)
}
