// The caption of a moment of a replay: the newest event that has a text.
import { cardSymbol } from '../cards/card'
import { headline, patternName } from '../room/headline'
import { toMs } from '../room/races'
import type { TableEvent } from '../room/public-view'
import type { Finished, View } from '../wire'
import { texts } from '../i18n/late'

export interface Caption {
  big: string
  small: string
}

type Name = (seat: number) => string

export function captionOf(game: Finished, views: readonly (View | null)[], at: number, name: Name): Caption {
  for (let i = at; i > 0; i--) {
    const event = game.events[i - 1]!.e
    const caption = said(event, views[i]!, name)
    if (!caption) continue
    const before = game.events[i - 2]?.e
    if (event.e !== 'joined' || before?.e !== 'taken') return caption
    const pile = said(before, views[i - 1]!, name)! // which has brought the player in
    return { big: pile.big, small: `${pile.small} ${texts.say.joinsToo}` }
  }
  return { big: '', small: '' }
}

function said(event: TableEvent, view: View | null, name: Name): Caption | null {
  switch (event.e) {
    case 'dealt_public':
      return { big: texts.replay.dealt, small: '' }
    case 'played':
      return { big: texts.replay.turns(name(event.seat), cardSymbol(event.card)), small: '' }
    case 'judged': {
      const times = event.order.map(({ seat, us }) => texts.replay.hand(name(seat), toMs(us))).join(' · ')
      return {
        big: event.pattern ? texts.say.pattern(patternName(event.pattern)) : times,
        small: event.pattern ? times : '',
      }
    }
    case 'measured':
      return { big: texts.replay.wrongHand(name(event.slap.seat), toMs(event.slap.us)), small: '' }
    default: {
      const line = headline(event, view, name)
      return line && (line.big || line.aloud) ? { big: line.big || line.aloud, small: line.small } : null
    }
  }
}
