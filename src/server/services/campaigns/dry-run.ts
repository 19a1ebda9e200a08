import PQueue from 'p-queue';
import type { Api } from '#contract/api.ts';
import type { ResultOf } from '#contract/endpoint.ts';
import type { DryRunReason } from '#core/outages/reasons.ts';
import { DRY_RUN_REASONS, keepsSpending } from '#core/outages/reasons.ts';
import { byName } from '#core/campaign.ts';
import type { Spend } from '#core/coverage.ts';
import { dryRun } from '#core/reconciler/dry-run.ts';
import { withWishes } from '#core/reconciler/manual-write.ts';
import { toLive, worldUserOf } from '#core/reconciler/world.ts';
import type { Signal } from '#core/smartpause/signals.ts';
import { firstMatchSince } from '#core/smartpause/status.ts';
import { seconds } from '#core/time.ts';
import { findListing } from '../../db/ad-accounts.ts';
import { listCampaigns } from '../../db/campaigns.ts';
import type { StoredCampaign } from '../../db/campaigns.ts';
import { findProtected } from '../../db/billing/subscriptions.ts';
import { loadWorlds } from '../../db/load-worlds.ts';
import { findLeftAlone } from '../../db/holds/holds.ts';
import { readStatus } from '../../db/status/status.ts';
import { findToken } from '../../db/users/tokens.ts';
import type { User } from '../../db/users/users.ts';
import type { ServiceDeps } from '../deps.ts';
import { getAdAccounts } from './ad-accounts.ts';
import { readNow, unaskedBecause } from './campaign-lists.ts';

type Reply = ResultOf<Api['dryRun']>;

/** An ad account with its stored campaigns, and what would happen to them. */
interface DryAccount {
  account: Omit<Reply['accounts'][number], 'paused' | 'notPaused' | 'spending'>;
  campaigns: readonly StoredCampaign[];
  result: ReturnType<typeof dryRun>;
}

/** Lists of one request that are read at a time. */
const READS_AT_ONCE = 4;
/** After this time no read begins: the page waits 15 s, and a read some seconds. */
const READS_MS = seconds(8);

/** What the reconciler would do if Meta's status met the threshold now. Writes nothing but the lists that it reads. */
export async function getDryRun(deps: ServiceDeps, user: User): Promise<Reply> {
  const { at, accounts } = await runDry(deps, user);
  return {
    at,
    accounts: accounts.map(({ account, result, campaigns }) => ({
      ...account,
      ...groupsOf(result, campaigns),
    })),
  };
}

/** @param signals that would act for the user besides */
export async function runDry(deps: ServiceDeps, user: User, signals: readonly Signal[] = []) {
  const readUntil = deps.clock.now() + READS_MS;
  const { adAccounts } = await getAdAccounts(deps, user);
  const queue = new PQueue({ concurrency: READS_AT_ONCE });
  const isRead = new Map(
    await queue.addAll(
      adAccounts.map(
        ({ id }) =>
          async () =>
            [id, await readNow(deps, user, id, readUntil)] as const,
      ),
    ),
  );
  const now = deps.clock.now();
  const hasAccess = (await findToken(deps.db, deps.cipher, user.id)) !== null;
  const isSubscribed = (await findProtected(deps.db, [user.id], now)).has(user.id);
  const accountIds = adAccounts.map(({ id }) => id);
  const status = await readStatus(deps.db);
  const matchBegan = firstMatchSince(status);
  const allLeftAlone = await findLeftAlone(deps.db, accountIds, matchBegan, user.id);
  const leftAlone = allLeftAlone.get(user.id) ?? new Map<string, never>();
  const stored = await loadWorlds(deps.db, accountIds, { now, matchBegan });
  const accounts: DryAccount[] = [];
  for (const { id, name, currency, notProtected = null, noDelivery } of adAccounts) {
    const campaigns = await listCampaigns(deps.db, user.id, id);
    const settings = new Map(
      campaigns.map((one) => [one.id, { setting: one.smartPauseSetting, changedAt: 0 }]),
    );
    const facts = { user, isSubscribed, ...NOT_ASKED, settings, leftAlone, signals };
    const own = stored.get(id);
    const world = {
      ...{ status, readAt: now, timeZone: null, blockedUntil: null, logOf: () => 'unreadable' as const },
      ...{ accepted: new Set<string>(), schedules: new Map<string, never>(), ofMany: new Set<string>() },
      campaigns: campaigns.flatMap(toLive),
      holds: own?.holds ?? new Map<string, never>(),
      writes: withWishes(own?.writes ?? new Map<string, never>(), own?.changes ?? new Map<string, never>()),
    };
    const listing = await findListing(deps.db, user.id, id);
    const isUnread = isRead.get(id) !== true;
    const because = isUnread && listing !== null ? unaskedBecause(deps, listing) : undefined;
    const account = {
      ...{ id, name, readAt: listing?.readAt ?? null, isUnread },
      ...(because !== undefined && { unreadBecause: because }),
      ...(currency !== undefined && { currency }),
      ...(noDelivery !== undefined && { noDelivery }),
    };
    const given = { isSetUp: user.initializedAt !== null, notProtected };
    accounts.push({ account, campaigns, result: dryRun(world, worldUserOf(facts, hasAccess), given, now) });
  }
  return { at: now, accounts };
}

/** Nothing is written. */
const NOT_ASKED = { writesBlockedUntil: null, refusedResumes: new Map<string, never>() };

/** Of the campaigns that run and would run on. */
function spendOf(campaigns: readonly StoredCampaign[]): Spend {
  const budgets = campaigns.flatMap(({ dailyBudget }) => dailyBudget ?? []);
  const budget = budgets.reduce((sum, one) => sum + one, 0);
  return { count: campaigns.length, budget, unknownBudgets: campaigns.length - budgets.length };
}

/** The campaigns by name, one group per reason in the order of the reasons. */
function groupsOf(
  { paused, notPaused }: ReturnType<typeof dryRun>,
  stored: readonly StoredCampaign[],
): Pick<Reply['accounts'][number], 'paused' | 'notPaused' | 'spending'> {
  const campaigns = stored.toSorted((a, b) => byName(a.name, b.name));
  const isPaused = new Set(paused);
  const reasons = new Map(notPaused.map(({ id, reason }) => [id, reason]));
  const spending = new Set(notPaused.filter(({ reason }) => keepsSpending(reason)).map(({ id }) => id));
  const dated = ({ id, name, startTime, stopTime }: StoredCampaign, reason: DryRunReason) => {
    const at = reason === 'ended' ? stopTime : reason === 'scheduled' ? startTime : null;
    return { id, name, ...(at !== null && { at }) };
  };
  const groups = DRY_RUN_REASONS.map((reason) => ({
    reason,
    campaigns: campaigns.filter(({ id }) => reasons.get(id) === reason).map((one) => dated(one, reason)),
  }));
  return {
    paused: campaigns.filter(({ id }) => isPaused.has(id)).map(({ id, name }) => ({ id, name })),
    notPaused: groups.filter((group) => group.campaigns.length > 0),
    spending: spendOf(campaigns.filter(({ id }) => spending.has(id))),
  };
}
