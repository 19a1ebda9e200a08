import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { recordActivities } from '../activities.ts';
import { HELD_UP_TOLD } from '../migrations/0017-held-up-told.ts';

const db = useFreshDb();
const SINCE = Date.parse('2026-01-09T02:30:00Z');

test('[FR-32] an update repeats no email about a stop that the former version has sent', async () => {
  const userId = await plantUser(db(), { email: 'maya@example.com' });
  await sql`update app_state set stopped = 'blocked', since = ${new Date(SINCE)}`.execute(db());
  const hold = async (campaignId: string) => {
    const { rows } = await sql<{ id: string }>`
      insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at)
      values (${userId}, 'act_5', ${campaignId}, 'paused', 'MEDIUM', 'HIGH_DISRUPTION', now(), now(), now()) returning id`.execute(
      db(),
    );
    return rows[0]?.id ?? '';
  };
  const tell = async (campaignId: string, holdId: string, at: number) =>
    recordActivities(
      db(),
      [
        {
          ...({ userId, accountId: 'act_5', actor: 'smartpause', event: 'held_up' } as const),
          ...{ facts: { since: at }, campaign: { id: campaignId, name: campaignId, holdId } },
        },
      ],
      at,
    );
  await tell('told', await hold('told'), SINCE);
  // In a former stop, and of a former hold.
  await tell('before', await hold('before'), SINCE - 1);
  await hold('again');
  await tell('again', '0', SINCE);
  await hold('untold');
  await sql.raw(HELD_UP_TOLD).execute(db());
  const marked = db().selectFrom('holds').select(['campaignId', 'heldUpSince']);
  expect(await marked.where('heldUpSince', 'is not', null).execute()).toEqual([
    { campaignId: 'told', heldUpSince: SINCE },
  ]);
});
