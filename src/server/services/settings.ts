import { Refusal } from '#contract/errors.ts';
import type { SettingsBody } from '#contract/shapes.ts';
import { afterThresholdEdit } from '#core/smartpause/resume-time.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { resumeCopy } from '#core/labels.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { Activity } from '../db/activities.ts';
import { recordActivities } from '../db/activities.ts';
import { makeDueForUser } from '../db/work-items.ts';
import type { User } from '../db/users/users.ts';
import { findUser, lockUser, markInitialized, saveSettings } from '../db/users/users.ts';
import { replaceSession } from '../db/users/sessions.ts';
import { readStatus } from '../db/status/status.ts';
import { requireMayAct, requireSubscription } from './access.ts';
import type { Needs } from './deps.ts';
import type { StatusDeps } from './status.ts';
import { getUserStatus } from './status.ts';

export async function changeSettings(
  deps: StatusDeps & Needs<'db' | 'wake'>,
  user: User,
  body: SettingsBody,
) {
  const now = deps.clock.now();
  await requireMayAct(deps.db, user, now);
  await inTransaction(deps.db, async (tx) => {
    await applySettings(deps, tx, { userId: user.id, body, now });
    await recordActivities(tx, [settingActivity(user.id, 'settings', body)], now);
  });
  deps.wake();
  return getUserStatus(deps, (await findUser(deps.db, user.id)) ?? user);
}

/**
 * Finishes the setup and replaces the session. Idempotent: a repeated call saves the settings and succeeds.
 */
export async function initialize(
  deps: Needs<'db' | 'clock' | 'wake' | 'staleMs'>,
  user: User,
  given: { body: SettingsBody; sessionId: string },
): Promise<string> {
  const now = deps.clock.now();
  await requireSubscription(deps.db, user, now);
  const token = await inTransaction(deps.db, async (tx) => {
    await applySettings(deps, tx, { userId: user.id, body: given.body, now });
    const isFirst = await markInitialized(tx, user.id, now);
    const event = isFirst ? 'initialized' : 'settings';
    await recordActivities(tx, [settingActivity(user.id, event, given.body)], now);
    const replaced = await replaceSession(tx, { userId: user.id, sessionId: given.sessionId }, now);
    // The session ended during this call.
    if (replaced === null) throw new Refusal('UNAUTHENTICATED');
    return replaced;
  });
  deps.wake();
  return token;
}

function settingActivity(userId: string, event: 'settings' | 'initialized', body: SettingsBody): Activity {
  const message = event === 'settings' ? 'SmartPause settings were changed.' : 'The account was set up.';
  const { outageThreshold, resumeSettings, onForNewCampaigns: onForNew } = body;
  const forNew = onForNew === undefined ? '' : `, SmartPause ${onForNew ? 'on' : 'off'} for new campaigns`;
  const reason = `threshold ${outageThreshold}, resume ${resumeCopy(resumeSettings)}${forNew}`;
  return { userId, actor: 'user', type: 'setting', event, message, reason };
}

async function applySettings(
  deps: Needs<'staleMs'>,
  tx: Db,
  { userId, body, now }: { userId: string; body: SettingsBody; now: Instant },
): Promise<void> {
  const before = await lockUser(tx, userId);
  if (before === null) throw new Refusal('UNAUTHENTICATED');
  const status = await readStatus(tx);
  if (body.outageThreshold !== before.threshold) {
    const { effective } = currentStatus(status, now, deps.staleMs);
    if (effective !== 'UP' && effective !== 'UNKNOWN') throw new Refusal('THRESHOLD_LOCKED');
  }
  const { outageThreshold: threshold, resumeSettings: resume, email } = body;
  const onForNewCampaigns = body.onForNewCampaigns ?? before.onForNewCampaigns;
  const thresholdEdit = afterThresholdEdit(before, threshold, status, now);
  await saveSettings(tx, userId, { threshold, resume, email, onForNewCampaigns, thresholdEdit }, now);
  await makeDueForUser(tx, userId, now);
}
