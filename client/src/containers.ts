/** The boxes with `container-type` by whose units they are laid out, for browsers that do not know these units. */
export const CONTAINERS = '.stage, .place, .mine, .slap, .code'
