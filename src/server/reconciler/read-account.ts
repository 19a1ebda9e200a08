import { needsReading } from '#core/reconciler/plan-account.ts';
import type { CampaignList } from '../db/campaigns.ts';
import { mayBeTheToken } from '../platforms/meta/errors.ts';
import type { PlatformFailure } from '../platforms/meta/errors.ts';
import { toLive } from '../platforms/meta/live-campaign.ts';
import { logFailure } from './log-activities.ts';
import type { ReconcileDeps, Work } from './pass.ts';
import { worldOf } from './pass.ts';

export interface AccountRead {
  work: Work;
  /** Null: it was not read. */
  list: CampaignList | null;
  /** Why it could not be read; null: it was read, or need not be. */
  failure: PlatformFailure | null;
}

/** Reads the ad account with the first token that Meta accepts there. */
export async function readAccount(deps: ReconcileDeps, given: Work): Promise<AccountRead> {
  let work = given;
  let failure: PlatformFailure | null = null;
  if (!needsReading(worldOf(work, deps.clock.now(), { tries: true }))) return { work, list: null, failure };
  for (const userId of readersOf(work)) {
    const readAt = deps.clock.now();
    const read = await readBy(deps, work, work.tokens.get(userId) ?? '');
    work = { ...work, usage: read.usage ?? work.usage };
    if (read.ok) {
      const { listed, campaigns, isPartial } = read;
      await noteRegained(deps, work, userId);
      const names = new Map(listed.map(({ id, name }) => [id, name]));
      const list = { accountId: work.claim.accountId, campaigns: listed, isPartial, readAt };
      return { work: { ...work, campaigns, readBy: userId, readAt, names }, list, failure: null };
    }
    failure = read.failure;
    work = await noteFailure(deps, work, { userId, failure });
    if (!isOfThisUser(failure)) break;
  }
  return { work, list: null, failure };
}

/** Users who lost access are asked again, and first, if they hold a campaign here, or if there is no other user. */
function readersOf({ account, tokens }: Work): string[] {
  const holders = new Set([...account.holds.values()].map(({ userId }) => userId));
  const able = account.users.filter(({ user }) => tokens.has(user.id));
  const allowed = able.filter(({ isAccountLost }) => !isAccountLost);
  const lost = able.filter((one) => one.isAccountLost && (holders.has(one.user.id) || allowed.length === 0));
  return [...lost, ...allowed].map(({ user }) => user.id);
}

/** Another user may be able to read it. */
function isOfThisUser(failure: PlatformFailure): boolean {
  return isOutOfReach(failure) || mayBeTheToken(failure, 'account');
}

function isOutOfReach({ kind }: PlatformFailure): boolean {
  return kind === 'permission' || kind === 'gone' || kind === 'rejected';
}

async function noteFailure(
  deps: ReconcileDeps,
  work: Work,
  { userId, failure }: { userId: string; failure: PlatformFailure },
): Promise<Work> {
  const { accountId } = work.claim;
  logFailure(deps.log, accountId, { failure, what: 'the campaigns could not be read' });
  if (mayBeTheToken(failure, 'account')) await deps.store.suspectToken(userId);
  if (!isOutOfReach(failure)) return work;
  const isLost = failure.kind !== 'rejected';
  if (isLost) await deps.store.noteAccess({ userId, accountId }, true);
  return { ...work, unreachable: new Map([...work.unreachable, [userId, { isLost }]]) };
}

async function noteRegained(deps: ReconcileDeps, { account, claim }: Work, userId: string): Promise<void> {
  const isLost = account.users.some(({ user, isAccountLost }) => user.id === userId && isAccountLost);
  if (isLost) await deps.store.noteAccess({ userId, accountId: claim.accountId }, false);
}

/** The account's list, and by id every campaign that we hold or have written and that is not in it. */
async function readBy({ platform }: ReconcileDeps, { claim, account }: Work, token: string) {
  const list = await platform.listCampaigns(token, claim.accountId);
  if (!list.ok) return list;
  const campaigns = list.value.flatMap(toLive);
  const listed = new Set(list.value.map(({ id }) => id));
  const missing = [...new Set([...account.holds.keys(), ...account.writes.keys()])].filter(
    (id) => !listed.has(id),
  );
  const read = { ok: true, listed: list.value, isPartial: list.isPartial } as const;
  if (missing.length === 0) return { ...read, campaigns, usage: list.usage };
  const byId = await platform.readStatuses(token, claim.accountId, missing);
  // The token has just read the list: without an answer these campaigns are not part of the plan.
  if (!byId.ok && byId.failure.kind !== 'rejected') return byId;
  const found = [...(byId.ok ? byId.value : [])].map(([id, status]) => ({ id, status, dailyBudget: null }));
  return { ...read, campaigns: [...campaigns, ...found], usage: byId.usage ?? list.usage };
}
