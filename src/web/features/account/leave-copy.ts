import type { Campaign, HeldAccount, UserStatus } from '#contract/shapes.ts';
import { SUSPENDED } from '#core/app-state.ts';
import { counted, namesLabel } from '#core/labels.ts';
import type { LeavingObstacle } from '#core/smartpause/resume-delay.ts';
import type { Instant } from '#core/time.ts';
import { earliest } from '#core/time.ts';
import { atOrOnTime } from '../../lib/times.ts';
import { metaSays } from '../campaigns/campaign-view.ts';
import { countIn } from '../campaigns/protection.ts';

interface Given {
  now: Instant;
  /** Counts the campaigns that stay paused because Meta refuses our app; null: it serves it. */
  suspended?: number | null;
}

type Resumes = Partial<Pick<UserStatus, 'isSuspended' | 'notResumed' | 'heldCampaigns' | 'heldAccounts'>>;

/** What comes before the end of our access, as far as Meta accepts it. */
export function resumesFirst(user: Resumes = {}): string {
  const { isSuspended, notResumed = 0, heldCampaigns = 0, heldAccounts = [] } = user;
  const untried = heldAccounts.filter(({ leavingObstacle: why }) => why !== undefined && why !== 'refused');
  const tried = heldCampaigns - countIn(untried);
  const isRefused = heldAccounts.some(({ leavingObstacle }) => leavingObstacle === 'refused');
  const left = notResumed > 0 && `${stayPaused(notResumed)}: Meta refused to resume ${itOrThem(notResumed)}.`;
  const copy = [...untriedCopy(untried), left].filter((text) => text !== false);
  if (tried > 0 || copy.length === 0)
    copy.push(
      triedCopy({ isSuspended: isSuspended === true && tried > 0, isRefused, isRest: copy.length > 0 }),
    );
  return copy.join(' ');
}

const stayPaused = (count: number): string =>
  `${counted(count, 'campaign')} ${count === 1 ? 'stays' : 'stay'} paused`;
const itOrThem = (count: number): string => (count === 1 ? 'it' : 'them');

const UNTRIED: Record<Exclude<LeavingObstacle, 'refused'>, (of: readonly HeldAccount[]) => string> = {
  login: (of) =>
    `Meta no longer accepts our access: ${stayPaused(countIn(of))} unless you log in again first.`,
  access_lost: (of) =>
    `You no longer have access to ${namesLabel(of)} on Meta: ${stayPaused(countIn(of))} there.`,
  blocked: (of) => `Meta doesn’t accept our changes in ${namesLabel(of)}: ${stayPaused(countIn(of))} there.`,
};

/** The campaigns that SmartPause cannot even try to resume, one sentence for each cause. */
function untriedCopy(accounts: readonly HeldAccount[]): (string | false)[] {
  return [...Map.groupBy(accounts, ({ leavingObstacle }) => leavingObstacle)].map(
    ([why, of]) => why !== undefined && why !== 'refused' && UNTRIED[why](of),
  );
}

function triedCopy({
  isSuspended,
  isRefused,
  isRest,
}: Record<'isSuspended' | 'isRefused' | 'isRest', boolean>) {
  const campaigns = isRest ? 'Other campaigns' : 'Campaigns';
  if (isSuspended) return `${SUSPENDED} ${campaigns} paused by SmartPause are resumed once it’s back.`;
  if (!isRefused) return `${campaigns} paused by SmartPause are resumed first.`;
  const tries = `SmartPause first tries to resume ${isRest ? 'the others' : 'what it paused'}, for about an hour.`;
  return `${tries} What Meta refuses to resume stays paused.`;
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
