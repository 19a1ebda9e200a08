import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { counted, namesLabel } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { atOrOnTime } from '../../lib/times.ts';
import { metaSays } from '../campaigns/campaign-view.ts';

interface Given {
  now: Instant;
  /** Counts the campaigns that stay paused because Meta refuses our app; null: it serves it. */
  suspended?: number | null;
}

type Resumes = Pick<UserStatus, 'isSuspended' | 'refusingAccounts' | 'heldCampaigns'>;

/** What comes before the end of our access, as far as Meta accepts it. */
export function resumesFirst({ isSuspended, refusingAccounts, heldCampaigns = 0 }: Resumes = {}): string {
  if (isSuspended === true && heldCampaigns > 0)
    return `${SUSPENDED} Campaigns paused by SmartPause are resumed once it’s back.`;
  if (refusingAccounts === undefined) return 'Campaigns paused by SmartPause are resumed first.';
  const tries = 'SmartPause first tries to resume what it paused, for about an hour. ';
  return `${heldCampaigns > 0 ? tries : ''}What Meta refuses to resume stays paused.`;
}

/** Of a user who leaves: which campaigns stay paused, in Meta's words, and what happens next. */
export function leaveCopy(campaigns: readonly Campaign[], { now, suspended = null }: Given): string[] {
  const refused = campaigns.flatMap((one) => (one.refused?.action === 'resume' ? [one] : []));
  const left = campaigns.filter(({ notResumed, held }) => notResumed !== undefined && held !== true);
  const stay = [...refused, ...left];
  const goesOn = 'It goes on if you close this.';
  if (suspended !== null && suspended > 0) {
    const [stays, it] = suspended === 1 ? ['stays', 'it'] : ['stay', 'them'];
    return [
      `${SUSPENDED} ${counted(suspended, 'campaign')} ${stays} paused until it’s back. Then our access is revoked.`,
      `You can also resume ${it} in Ads Manager. ${goesOn}`,
    ];
  }
  if (stay.length === 0) return [`We’re still working on it. ${goesOn}`];
  const [them, they] = stay.length === 1 ? ['it', 'stays'] : ['them', 'stay'];
  const words = Map.groupBy(stay, saidOf);
  return [
    `${counted(stay.length, 'campaign')} ${they} paused: Meta refuses to resume ${them}.`,
    ...[...words].map(([said, own]) => `${namesLabel(own)}: ${said}`),
    [...nextCopy(refused, now), `You can also resume ${them} in Ads Manager.`, goesOn].join(' '),
  ];
}

function saidOf({ refused, notResumed }: Campaign): string {
  return refused !== undefined
    ? metaSays(refused)
    : notResumed?.words
      ? metaSays(notResumed)
      : 'no reason given.';
}

/** A refused resume of a user who leaves is tried a few times. */
function nextCopy(refused: readonly Campaign[], now: Instant): string[] {
  if (refused.length === 0) return [];
  const next = earliest(
    refused.map((one) => (one.refused?.retryAt ? Date.parse(one.refused.retryAt) : null)),
  );
  const when = next === null ? '' : ` ${atOrOnTime(next, now)}`;
  return [`SmartPause tries again${when}, and a few times within about an hour. Then our access is revoked.`];
}
