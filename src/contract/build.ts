/**
 * The build of the page: in a meta element of each document and in a header of each API response. A page whose own is
 * another one offers to reload.
 */
export const BUILD = 'smartpause-build';
