import { describe, expect, test } from 'vitest';
import { days, minutes } from '#core/time.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import { countRecorded, replaceWarning } from './early-warning.ts';

const NOW = Date.parse('2026-06-17T15:00:00Z');

describe('recorded early warnings', () => {
  const db = useFreshDb();

  /** It goes through these states, a minute each. */
  async function recorded(since: number, states: readonly ('SUSPECTED' | 'PROBABLE')[]): Promise<void> {
    for (const [index, state] of states.entries()) {
      const evidence = { since, probability: 0.5, parts: [] };
      await replaceWarning(db(), null, { state, acts: false, evidence }, since + minutes(index));
      await db()
        .updateTable('signals')
        .set({ until: new Date(since + minutes(index + 1)) })
        .where('until', 'is', null)
        .execute();
    }
  }

  test('[EARLY-03] are counted whole: each is one suspicion, in whatever states it was', async () => {
    expect(await countRecorded(db(), NOW - days(28))).toEqual({ suspicions: 0, pauses: 0 });
    await recorded(NOW - days(29), ['SUSPECTED', 'PROBABLE']);
    await recorded(NOW - days(3), ['SUSPECTED', 'PROBABLE', 'SUSPECTED', 'PROBABLE']);
    await recorded(NOW - days(2), ['PROBABLE']);
    for (let hour = 1; hour <= 60; hour++) await recorded(NOW - hour * minutes(30), ['SUSPECTED']);
    const calls = { source: 'calls', scope: 'everyone', state: 'SUSPECTED' } as const;
    await db()
      .insertInto('signals')
      .values({ ...calls, since: new Date(NOW) })
      .execute();
    expect(await countRecorded(db(), NOW - days(28))).toEqual({ suspicions: 62, pauses: 2 });
  });
});
