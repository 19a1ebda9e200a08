import { ACCOUNT } from './account.ts';
import { CAMPAIGNS } from './campaigns.ts';
import { CHANNELS } from './channels.ts';
import { EARLY_WARNING } from './early-warning.ts';
import { PUBLIC } from './public.ts';
import { SPEND } from './spend.ts';
import type { States } from './visit.ts';
import { WHY } from './why.ts';

/** Every page of the product in its states. */
export const CATALOGUE: States = {
  ...PUBLIC,
  ...CAMPAIGNS,
  ...WHY,
  ...SPEND,
  ...ACCOUNT,
  ...CHANNELS,
  ...EARLY_WARNING,
};
