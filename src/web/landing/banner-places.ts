/** Empty in the page as it comes. */
export const PRACTICE_BANNER_ID = 'practice-banner';
export const ADDRESS_BANNER_ID = 'address-banner';
