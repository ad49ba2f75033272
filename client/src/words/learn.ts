// The words of learning: hints at the table, the lessons, and the practice.

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
}
