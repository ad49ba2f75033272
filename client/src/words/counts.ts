// Things and how many of them there are.
export const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
export const cards = (n: number) => plural(n, 'card', 'cards')
export const chances = (n: number) => plural(n, 'chance', 'chances')
export const strikes = (n: number) => plural(n, 'strike', 'strikes')
