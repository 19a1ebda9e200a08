import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { findLiveHolds, saveHolds } from './holds.ts';

const db = useFreshDb();

test('[FR-32] a hold that goes to another user is new to this user', async () => {
  const [own, other] = [await plantUser(db()), await plantUser(db())];
  await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, held_up_since)
    values (${own}, 'act_1', '7', 'paused', 'LOW', 'LOW_DISRUPTION', now(), now(), now())`.execute(db());
  const savedFor = async (userId: string) => {
    const holds = await findLiveHolds(db(), ['act_1']);
    await saveHolds(
      db(),
      holds.map((hold) => ({ ...hold, userId })),
      0,
    );
    return (await db().selectFrom('holds').select('heldUpSince').executeTakeFirstOrThrow()).heldUpSince;
  };
  expect(await savedFor(own)).not.toBeNull();
  expect(await savedFor(other)).toBeNull();
});
