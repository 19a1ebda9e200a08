/**
 * A header of a reply with a tag, also where the page has that reply and it is not sent again: `isBeingRead`, which the
 * tag leaves out. A newer reply is available in a moment.
 */
export const BEING_READ = 'smartpause-being-read';
