// What the measurement of the sounds needs of the client, as one bundle.
export { unlockAudio } from '../../client/src/browser/audio'
export { settings } from '../../client/src/settings.svelte'
export { sound } from '../../client/src/sound'
