// The words of learning: hints at the table, the lessons, and the practice.
import { chances } from './counts'

/** What a task's words may name. */
interface Moment {
  teacher: string
  left: number
}

export const learn = {
  hint: {
    off: 'No more hints',
    /** What was on the pile, by pattern. */
    missed: {
      triple_six: 'Those were three sixes.',
      triple: 'That was a triple.',
      double: 'That was a double.',
      sandwich: 'That was a sandwich.',
      hoagie: 'That was a hoagie.',
      run: 'That was a run.',
      tens: 'That made ten.',
      marriage: 'That was a marriage.',
      divorce: 'That was a divorce.',
      scandal: 'That was a scandal.',
      sixty_nine: 'That was a sixty-nine.',
      suit_run: 'That was one suit.',
      colour_run: 'That was one colour.',
      top_bottom: 'That was top and bottom.',
      count_match: 'That was a count match.',
      instant: 'That was a slap card.',
    } as Record<string, string>,
    other: (pattern: string) => `That was: ${pattern}.`,
    nothing: (top: string, under: string) => `Nothing there: ${top} on ${under}`,
    alone: (top: string) => `Nothing there: ${top} alone`,
    dead: 'Nothing there: the newest card is dead',
  },
  finished: {
    title: 'You know it all!',
    text: 'Every house has rules of its own: its sheet is always one tap away.',
    practise: 'Practise reactions',
    anew: 'The lessons again',
  },
  lesson: {
    title: 'The lesson',
    step: (n: number, of: number) => `${n} of ${of}`,
    next: 'Next',
    again: 'Once more',
    skip: 'Skip',
    task: {
      turn: () => 'Your turn: press your deck to turn its top card.',
      turnAgain: () => 'Now you again. Nobody sees a card before it is turned.',
      watch: ({ teacher }: Moment) => `Now ${teacher} turns a card onto the same pile.`,
      king: ({ teacher }: Moment) => `Jack, queen, king and ace are challenges. ${teacher} begins.`,
      beat: ({ left }: Moment) => `A king! You have ${chances(left)} to turn a jack, queen, king or ace.`,
      beaten: ({ teacher, left }: Moment) => `Your queen beats it! Now ${teacher} has ${chances(left)}.`,
      won: ({ teacher }: Moment) => `${teacher} has failed: the pile comes to you.`,
      turnOn: () => 'Turn a card, and watch the pile.',
      watchDouble: () => 'When two cards of one rank lie on each other, slap!',
      watchSandwich: () => 'Two of one rank with one card between them: slap that too!',
      slapDouble: () => 'A double: slap!',
      slapSandwich: () => 'A sandwich: slap!',
      slapIn: () => 'Now: slap!',
      slapWrong: () => 'Nothing to slap here. Slap all the same, and see what it costs.',
      lastCard: () => 'This is your last card. Turn it: you are not out without cards.',
      waitIn: () => 'Without cards you may still slap. Wait for two alike, or a sandwich …',
      nothingYet: () => 'There was nothing. Wait for two alike, or a sandwich …',
    },
    done: {
      turn: (teacher: string) => `That is all: you and ${teacher} turn by turns onto one pile.`,
      challenge: () => 'The pile is yours: whoever is not beaten takes it.',
      double: () => 'The pile is yours!',
      sandwich: () => 'The pile is yours!',
      wrong: () => 'A wrong slap burns your next card: it goes under the pile.',
      slap_in: () => 'You are back in the game!',
    } as Record<string, (teacher: string) => string>,
    /** After a good slap. */
    slapped: {
      double: (ms: number) => `Well slapped, in ${ms} ms! Whoever is first takes the pile.`,
      sandwich: (ms: number) => `A sandwich in ${ms} ms! The pile is yours.`,
      slap_in: (ms: number) => `Back in the game, in ${ms} ms!`,
    } as Record<string, (ms: number) => string>,
    missed: {
      turn: 'That went another way. Once more?',
      challenge: 'This time the pile is not yours. Once more?',
      double: 'There were two alike, and the pile went on. Once more?',
      sandwich: 'There was a sandwich, and the pile went on. Once more?',
      wrong: 'No slap at all. Once more?',
      slap_in: 'The chances to slap in are gone. Once more?',
    } as Record<string, string>,
    early: 'Too early: there was nothing, and a card of yours is burned. Once more?',
  },
}
