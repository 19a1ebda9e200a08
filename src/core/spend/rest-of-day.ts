import type { Spend, Total } from '../coverage.ts';
import { addUp, sumsLabel } from '../coverage.ts';
import { counted } from '../labels.ts';
import type { Instant } from '../time.ts';
import { days, minutes } from '../time.ts';
import { knownZone, wallTime } from '../time-zone.ts';
import { MOST_OF_BUDGET } from './estimate.ts';

/** Campaigns of an ad account that are resumed together. */
export interface ResumedCampaigns extends Spend {
  currency?: string | undefined;
  /** Undefined: not known. */
  timeZone?: string | undefined;
  /** When. */
  at: Instant;
}

/**
 * What Meta may spend at most from the resume until midnight in the time zone of the ad account: it catches up within
 * the day. Nothing for a resume at the begin of the day, which has the budget of every day.
 */
export function restOfDay(resumed: readonly ResumedCampaigns[]): Total {
  const late = resumed.filter((one) => !isBegin(one));
  return addUp(late.map((one) => ({ ...one, budget: one.budget * MOST_OF_BUDGET })));
}

function isBegin({ timeZone, at }: ResumedCampaigns): boolean {
  const known = knownZone(timeZone);
  return known !== null && wallTime(known, at) % days(1) < minutes(2);
}

/** 'Up to €710 and $50 may be spent until midnight (ad account’s time), plus 2 unknown budgets.' Null: no budget is known. */
export function restOfDayCopy({ budgets, unknownBudgets }: Total): string | null {
  if (budgets.size === 0) return null;
  const more = unknownBudgets === 0 ? '' : `, plus ${counted(unknownBudgets, 'unknown budget')}`;
  return `Meta catches up within the day: up to ${sumsLabel(budgets)} may be spent until midnight (ad account’s time)${more}.`;
}
