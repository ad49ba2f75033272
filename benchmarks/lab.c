/* A straightforward Beggar-my-neighbour for two: the deck is shuffled, and cards are turned one by one.
 *
 * Hands are rings of bytes. The draws are those of ratscrew/lab/random_stream.py and the shuffle is that of ratscrew/deck.py, so
 * these are the same games as the bitboard's.
 *
 *     lab SEED FIRST GAMES LIMIT
 *
 * prints seconds of CPU, games that never ended, and of the others cards, their squares, tricks, their squares, and
 * games that the leader won.
 */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 52, RING = 64, JACK = 36 };

typedef struct {
    uint8_t cards[RING];
    unsigned top, end;
} Hand;

typedef struct {
    unsigned cards, tricks, leader_won, ended;
} Score;

static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static void deal(uint64_t state, Hand hands[2]) {
    uint8_t deck[CARDS];
    for (unsigned card = 0; card < CARDS; card++)
        deck[card] = card < JACK ? 0 : card / 4 - JACK / 4 + 1; /* how many chances it gives */
    for (unsigned last = CARDS - 1; last > 0; last--) {
        state += 0x9E3779B97F4A7C15u;
        unsigned drawn = ((mix(state) >> 32) * (last + 1)) >> 32;
        uint8_t card = deck[last];
        deck[last] = deck[drawn];
        deck[drawn] = card;
    }
    for (unsigned seat = 0; seat < 2; seat++) {
        for (unsigned card = 0; card < CARDS / 2; card++) /* the last one dealt lies on top */
            hands[seat].cards[card] = deck[CARDS - 2 + seat - 2 * card];
        hands[seat].top = 0;
        hands[seat].end = CARDS / 2;
    }
}

static Score play(Hand hands[2], unsigned limit) {
    uint8_t pile[CARDS];
    unsigned size = 0, seat = 0, chances = 0;
    Score score = {0, 0, 0, 1};
    while (score.cards <= limit) {
        Hand *hand = &hands[seat];
        int won = hand->top == hand->end; /* a player without a card in turn has lost the pile */
        if (!won) {
            uint8_t card = pile[size++] = hand->cards[hand->top++ % RING];
            score.cards++;
            if (card) {
                chances = card;
                seat ^= 1;
                continue;
            }
            if (!chances) {
                seat ^= 1;
                continue;
            }
            won = --chances == 0;
        }
        if (won) {
            seat ^= 1;
            score.tricks++;
            for (unsigned card = 0; card < size; card++) hands[seat].cards[hands[seat].end++ % RING] = pile[card];
            size = chances = 0;
            if (hand->top == hand->end) {
                score.leader_won = seat == 0;
                return score;
            }
        }
    }
    score.ended = 0;
    return score;
}

int main(int count, char **asked) {
    if (count != 5) {
        fprintf(stderr, "lab SEED FIRST GAMES LIMIT\n");
        return 2;
    }
    uint64_t seed = mix(strtoull(asked[1], NULL, 10)), first = strtoull(asked[2], NULL, 10);
    uint64_t games = strtoull(asked[3], NULL, 10), never = 0, cards = 0, cards2 = 0, tricks = 0, tricks2 = 0, led = 0;
    unsigned limit = strtoul(asked[4], NULL, 10);
    clock_t began = clock();
    for (uint64_t game = first; game < first + games; game++) {
        Hand hands[2];
        deal(mix(seed + game), hands);
        Score score = play(hands, limit);
        if (!score.ended || score.cards > limit) {
            never++;
            continue;
        }
        cards += score.cards;
        cards2 += (uint64_t)score.cards * score.cards;
        tricks += score.tricks;
        tricks2 += (uint64_t)score.tricks * score.tricks;
        led += score.leader_won;
    }
    printf("%.6f", (double)(clock() - began) / CLOCKS_PER_SEC);
    printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", never, cards, cards2, tricks,
           tricks2, led);
    return 0;
}
