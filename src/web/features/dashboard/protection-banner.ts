import { spendLabel } from '#core/coverage.ts';
import { figure } from '#core/labels.ts';
import type { Banner } from '../banners/banner.ts';
import type { DashboardFacts } from '../campaigns/dashboard-facts.ts';
import { namesOfOpen, notCounted, notYetCounted, unableOf } from '../campaigns/dashboard-facts.ts';
import { isMatched } from '../campaigns/campaign-view.ts';
import type { Protection, Unable } from '../campaigns/protection.ts';
import { deliveredOf, protectLabel, protectionOf, whomOf } from '../campaigns/protection.ts';
import { isDown } from './outage-banners.ts';

/** Without a match: how many of the running campaigns an outage would pause, and what to press for the others. */
export function protectionBanner(facts: DashboardFacts): Banner | null {
  const { status, user, plansAt } = facts;
  // The banner of the outage has the numbers.
  const isOutage = isDown(status) && (user === undefined || isMatched(status, user));
  if (isOutage && plansAt === null) return null;
  const isUp = status === null || status.status === 'UP';
  const base = { kind: 'protection', ...(isUp && { times: 'up' }) } satisfies Partial<Banner>;
  const lapsed = lapsedBanner(facts);
  if (user?.coverage === undefined || isOutage)
    return { ...base, tone: 'gray', sentences: [], acts: [], ...lapsed };
  const unable = unableOf(facts);
  const protection = protectionOf(user.coverage, unable);
  const { unprotected, open } = protection;
  const safe = protection.protectedCount + (unable === null ? deliveredOf(user.heldAccounts) : 0);
  const { tone, headline } =
    safe + unprotected.count === 0 ? noneRunning(facts) : calmHeadline(protection, safe);
  const mayAsk = unable === null && open > 0 && facts.lists?.length !== 0;
  return {
    ...base,
    tone,
    ...(headline !== null && { headline }),
    ...lapsed,
    sentences: [
      ...riskOfOthers(facts, protection, safe, isDown(status) ? 'if it met your threshold' : 'in an outage'),
      ...cannotProtect(protection, unable),
      ...(headline === CHECKING ? [] : notCounted(protection)),
      ...(lapsed?.sentences ?? []),
    ],
    acts: lapsed?.acts ?? (mayAsk ? [{ act: 'protect_all', label: buttonLabel(facts, open, safe) }] : []),
  };
}

function lapsedBanner({ plansAt: to, isTrialAvailable }: DashboardFacts) {
  if (to === null) return null;
  const plans = isTrialAvailable ? 'See plans' : 'Subscribe again';
  const label = to === '/payment' ? plans : 'Go to Billing';
  return {
    title: 'New outages won’t pause your campaigns',
    sentences: [
      'Without a subscription you can still turn SmartPause off for a campaign and resume it manually.',
    ],
    acts: [{ act: 'visit', to, label, isButton: true }],
  } satisfies Partial<Banner>;
}

const CHECKING = 'Checking your campaigns…';

/** Said only of lists that are read and counted. */
function noneRunning(facts: DashboardFacts) {
  const { lists } = facts;
  const missing = notYetCounted(facts);
  const headline = missing.some(({ state }) => state !== 'failed')
    ? CHECKING
    : missing.length > 0
      ? 'Can’t check your campaigns right now'
      : lists?.every(({ campaigns }) => campaigns.length === 0) !== false
        ? null
        : 'None of your campaigns is running';
  return { tone: 'gray', headline } as const;
}

function calmHeadline({ protectedCount, unprotected, unread }: Protection, safe: number) {
  const all = safe + unprotected.count;
  const campaigns = `${safe > protectedCount ? '' : 'running '}${all === 1 ? 'campaign' : 'campaigns'}`;
  if (safe === 0) {
    const none =
      all === 1
        ? `Your ${campaigns} isn’t protected`
        : `None of your ${figure(all)} ${campaigns} is protected`;
    return { tone: 'orange', headline: none } as const;
  }
  if (unprotected.count > 0 || unread.length > 0)
    return {
      tone: 'yellow',
      headline: `${figure(safe)} of ${figure(all)} ${campaigns} ${safe === 1 ? 'is' : 'are'} protected`,
    } as const;
  const every = all === 2 ? 'Both' : `All ${figure(all)}`;
  const whole = all === 1 ? `Your ${campaigns} is protected` : `${every} ${campaigns} are protected`;
  return { tone: 'green', headline: whole } as const;
}

function riskOfOthers(
  facts: DashboardFacts,
  { unprotected, open }: Protection,
  safe: number,
  when: string,
): string[] {
  const { count } = unprotected;
  // As long as the sentence below, so that no row of the list moves.
  if (count === 0)
    return safe === 0
      ? []
      : [
          `SmartPause pauses ${safe === 1 ? 'it' : 'them'} in an outage and resumes ${safe === 1 ? 'it' : 'them'} when it’s over.`,
        ];
  const others = `The other ${count === 1 ? 'one' : figure(count)}`;
  const named = namesOfOpen(facts, open === count ? count : 0) ?? others;
  const who = safe > 0 ? named : count === 1 ? 'It' : 'They';
  const spend = spendLabel(unprotected);
  // Beside a disruption the rows name them.
  if (isDown(facts.status) && spend !== null && unprotected.unknownBudgets === 0)
    return [`${spend} would keep spending ${when}.`];
  return [`${who} would keep spending ${when}${spend === null ? '' : `: ${spend}`}.`];
}

function cannotProtect(protection: Protection, unable: Unable): string[] {
  const { blocked } = protection;
  if (unable !== null || blocked === 0) return [];
  return [`SmartPause can’t protect ${whomOf(blocked, protection)}: Meta doesn’t accept our changes there.`];
}

function buttonLabel({ setup }: Pick<DashboardFacts, 'setup'>, open: number, safe: number): string {
  return setup?.isFinished === false ? 'Turn on for all active campaigns' : protectLabel(open, safe);
}
