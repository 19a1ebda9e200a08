/** Empty in the page as it comes. */
export const ADDRESS_BANNER_ID = 'address-banner';
