/** Enough for an order and a selection, too few for the search. */
export const FOUR_CAMPAIGNS = { Boots: 'PAUSED', Coats: 'ACTIVE', Hats: 'ACTIVE', Shoes: 'ACTIVE' } as const;
