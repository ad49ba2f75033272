// The players' markers in charts, each of another shape, in a box of 12 x 12 around 0: colour alone tells nobody.

const FORMS = [
  'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z',
  'M-4.2 -4.2H4.2V4.2H-4.2Z',
  'M0 -5.2L5.2 4.2H-5.2Z',
  'M0 -5.8L5.4 0L0 5.8L-5.4 0Z',
  'M0 5.2L-5.2 -4.2H5.2Z',
  'M-1.9 -5.2H1.9V-1.9H5.2V1.9H1.9V5.2H-1.9V1.9H-5.2V-1.9H-1.9Z',
  'M0 -6L1.8 -1.9L6 -1.9L2.7 0.9L3.8 5.3L0 2.8L-3.8 5.3L-2.7 0.9L-6 -1.9L-1.8 -1.9Z',
  'M-5.4 0L-2.7 -4.7H2.7L5.4 0L2.7 4.7H-2.7Z',
]

export const markerPath = (seat: number): string => FORMS[seat % FORMS.length]!
