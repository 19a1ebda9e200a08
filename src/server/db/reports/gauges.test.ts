import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import { readGauges } from './gauges.ts';
import { findProblems } from './problems.ts';

describe('the gauges of the metrics', () => {
  const db = useFreshDb();

  test('a write counts as unconfirmed after a minute, as in the Problems table', async () => {
    const now = Date.parse('2026-01-08T12:00:00Z');
    const ago = (seconds: number) => new Date(now - seconds * 1000);
    await sql`insert into app_user (id, platform_user_id, name, resume_settings, logged_in_at, created_at)
      overriding system value values (1, '1', 'Maya', '{"mode": "instant"}', ${ago(0)}, ${ago(0)})`.execute(
      db(),
    );
    for (const [campaign, state, seconds] of [
      ['1', 'pausing', 5],
      ['2', 'resuming', 59],
      ['3', 'pausing', 61],
    ] as const) {
      await sql`insert into hold (user_id, account_id, campaign_id, state, sent_at, created_at)
        values (1, 'act_1', ${campaign}, ${state}, ${ago(seconds)}, ${ago(seconds)})`.execute(db());
    }
    const shown = await findProblems(db(), 'holds_unconfirmed', { limit: 50, now });
    expect([(await readGauges(db(), now)).holdsUnconfirmed, shown.length]).toEqual([1, 1]);
  });
});
