// What is said when the page is here and its server is not.
export const shell = {
  alone: 'The server cannot be reached just now. The page goes on by itself as soon as it answers.',
}
