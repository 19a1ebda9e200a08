import { ApiError } from '#contract/errors.ts';
import type { SettingsBody } from '#contract/shapes.ts';
import { isSameAddress } from '#core/confirmation.ts';
import { settingsChanges } from '#core/outages/activity-text.ts';
import { letsPause } from '#core/settings.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import { recordActivities } from '../../db/activities.ts';
import { wakeForUser } from '../../db/work-items.ts';
import type { User } from '../../db/users/users.ts';
import { findUser, lockUser, markInitialized, saveSettings } from '../../db/users/users.ts';
import { replaceSession } from '../../db/users/sessions.ts';
import { readStatus } from '../../db/status/status.ts';
import { requireNoChannel } from '../destinations/destinations.ts';
import { sendAfterSave } from '../users/email-address.ts';
import { requireMayAct, requireSubscription } from '../users/may-act.ts';
import type { Needs } from '../deps.ts';
import type { StatusDeps } from '../status/platform-status.ts';
import { getUserStatus } from '../status/user-status.ts';

export async function changeSettings(
  deps: StatusDeps & Needs<'db' | 'wake' | 'app' | 'publicUrl' | 'cipher'>,
  user: User,
  body: SettingsBody,
) {
  const now = deps.clock.now();
  await requireMayAct(deps.db, user, now);
  await inTransaction(deps.db, async (tx) => {
    const changes = await applySettings(deps, tx, { userId: user.id, body, now });
    await recordActivities(tx, [{ ...settingOf(user), event: 'settings', facts: { changes } }], now);
  });
  deps.wake();
  return getUserStatus(deps, (await findUser(deps.db, user.id)) ?? user);
}

/**
 * Finishes the setup and replaces the session. Idempotent: a repeated call saves the settings and succeeds.
 */
export async function initialize(
  deps: Needs<'db' | 'clock' | 'wake' | 'staleMs' | 'publicUrl' | 'cipher'>,
  user: User,
  given: { body: SettingsBody; sessionId: string },
): Promise<string> {
  const now = deps.clock.now();
  await requireSubscription(deps.db, user, now);
  const token = await inTransaction(deps.db, async (tx) => {
    const changes = await applySettings(deps, tx, { userId: user.id, body: given.body, now });
    const activity = (await markInitialized(tx, user.id, now))
      ? ({ event: 'initialized', facts: { name: user.name } } as const)
      : ({ event: 'settings', facts: { changes } } as const);
    await recordActivities(tx, [{ ...settingOf(user), ...activity }], now);
    const replaced = await replaceSession(tx, { userId: user.id, sessionId: given.sessionId }, now);
    // The session ended during this call.
    if (replaced === null) throw new ApiError('UNAUTHENTICATED');
    return replaced;
  });
  deps.wake();
  return token;
}

function settingOf({ id }: User) {
  return { userId: id, actor: 'user' } as const;
}

/** @returns what has changed, in words */
async function applySettings(
  deps: Needs<'staleMs' | 'publicUrl' | 'cipher'>,
  tx: Db,
  { userId, body, now }: { userId: string; body: SettingsBody; now: Instant },
): Promise<string[]> {
  const before = await lockUser(tx, userId);
  if (before === null) throw new ApiError('UNAUTHENTICATED');
  const status = await readStatus(tx);
  if (body.outageThreshold !== before.threshold) {
    const { effective } = currentStatus(status, now, deps.staleMs);
    if (effective !== 'UP' && effective !== 'UNKNOWN') throw new ApiError('THRESHOLD_LOCKED');
  }
  const after = {
    threshold: body.outageThreshold,
    resumeSettings: body.resumeSettings,
    email: body.email,
    onForNewCampaigns: body.onForNewCampaigns ?? before.onForNewCampaigns,
    hasMonthlySummary: body.monthlySummary ?? before.hasMonthlySummary,
    earlyWarning: body.earlyWarning ?? before.earlyWarning,
  };
  const user = { ...before, email: after.email };
  if (!isSameAddress(user.email, before.email)) await requireNoChannel(deps, tx, user);
  await saveSettings(tx, userId, { ...after, ...letsPause(before, after.earlyWarning, now) });
  await sendAfterSave(tx, { before, user, publicUrl: deps.publicUrl }, now);
  await wakeForUser(tx, userId);
  return settingsChanges(before, after);
}
