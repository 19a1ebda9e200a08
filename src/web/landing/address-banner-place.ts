/** Empty in the prerendered page. */
export const ADDRESS_BANNER_ID = 'address-banner';
