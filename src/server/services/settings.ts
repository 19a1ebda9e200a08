import { Refusal } from '#contract/errors.ts';
import type { SettingsBody } from '#contract/shapes.ts';
import type { UserStatus } from '#contract/shapes.ts';
import { afterThresholdEdit } from '#core/smartpause/resume-time.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import { resumeWords } from '#core/words.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/database.ts';
import type { Activity } from '../db/journal.ts';
import { recordActivities } from '../db/journal.ts';
import { makeDueForPerson } from '../db/lanes.ts';
import type { Person } from '../db/users/people.ts';
import { findPerson, lockPerson, markInitialized, saveSettings } from '../db/users/people.ts';
import { addMails } from '../db/mails.ts';
import { replaceSession } from '../db/users/sessions.ts';
import { readStatus } from '../db/status/status.ts';
import { requireMayAct, requireSubscription } from './access.ts';
import type { OperationDeps } from './deps.ts';
import { getUserStatus } from './status.ts';

export async function changeSettings(
  deps: OperationDeps,
  person: Person,
  body: SettingsBody,
): Promise<UserStatus> {
  const now = deps.clock.now();
  await requireMayAct(deps.db, person, now);
  await inTransaction(deps.db, async (tx) => {
    await applySettings(deps, tx, { personId: person.id, body, now });
    await recordActivities(tx, [settingActivity(person.id, 'settings', body)], now);
  });
  deps.wake();
  return getUserStatus(deps, (await findPerson(deps.db, person.id)) ?? person);
}

/** Finishes the setup and replaces the session. Idempotent: a parallel or repeated call saves the settings and succeeds. */
export async function initialize(
  deps: OperationDeps,
  person: Person,
  given: { body: SettingsBody; sessionId: string },
): Promise<string> {
  const now = deps.clock.now();
  await requireSubscription(deps.db, person, now);
  const token = await inTransaction(deps.db, async (tx) => {
    await applySettings(deps, tx, { personId: person.id, body: given.body, now });
    if (await markInitialized(tx, person.id, now)) {
      await recordActivities(tx, [settingActivity(person.id, 'initialized', given.body)], now);
      await addMails(tx, { personIds: [person.id], kind: 'welcome', event: 'welcome' }, now);
    } else {
      await recordActivities(tx, [settingActivity(person.id, 'settings', given.body)], now);
    }
    const replaced = await replaceSession(tx, { personId: person.id, sessionId: given.sessionId }, now);
    // It was ended while this call was under way.
    if (replaced === null) throw new Refusal('UNAUTHENTICATED');
    return replaced;
  });
  deps.wake();
  return token;
}

function settingActivity(personId: string, event: 'settings' | 'initialized', body: SettingsBody): Activity {
  const message = event === 'settings' ? 'SmartPause settings were changed.' : 'The account was set up.';
  const reason = `threshold ${body.outageThreshold}, resume ${resumeWords(body.resumeSettings)}`;
  return { personId, actor: 'person', type: 'setting', event, message, reason };
}

async function applySettings(
  deps: OperationDeps,
  tx: Db,
  { personId, body, now }: { personId: string; body: SettingsBody; now: Instant },
): Promise<void> {
  const before = await lockPerson(tx, personId);
  if (before === null) throw new Refusal('UNAUTHENTICATED');
  const status = await readStatus(tx);
  if (body.outageThreshold !== before.threshold) {
    const { effective } = currentStatus(status, now, deps.staleMs);
    if (effective !== 'UP' && effective !== 'UNKNOWN') throw new Refusal('THRESHOLD_LOCKED');
  }
  const settings = {
    threshold: body.outageThreshold,
    resume: body.resumeSettings,
    email: body.email,
    thresholdEdit: afterThresholdEdit(before, body.outageThreshold, status, now),
  };
  await saveSettings(tx, personId, settings, now);
  await makeDueForPerson(tx, personId, now);
}
