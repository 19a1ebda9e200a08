import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { EarlyWarningChoice } from '#core/settings.ts';
import { DEFAULT_RESUME, letsPause } from '#core/settings.ts';
import { minutes } from '#core/time.ts';
import { plantUser, useFreshDb } from '../../../test/support/database.ts';
import { findActing } from './signals.ts';
import { lockUser, saveSettings } from './users/users.ts';

const NOW = Date.parse('2026-06-17T15:00:00Z');
const at = (minute: number) => NOW + minutes(minute);

describe('[EARLY-04] early warnings that act for a user', () => {
  const db = useFreshDb();
  let userId = '';
  beforeEach(async () => {
    for (const table of ['users', 'signals']) await sql`truncate ${sql.table(table)} cascade`.execute(db());
    userId = await plantUser(db());
    await sql`update detection set weighed_at = ${new Date(at(60))}`.execute(db());
  });

  async function warned(since: number, until: number | null, more: object = {}): Promise<void> {
    const times = { since: new Date(at(since)), until: until === null ? null : new Date(at(until)) };
    const one = { source: 'early_warning', scope: 'everyone', state: 'PROBABLE', acts: true } as const;
    await db()
      .insertInto('signals')
      .values({ ...one, ...times, ...more })
      .execute();
  }
  async function choose(choices: Record<number, EarlyWarningChoice>): Promise<void> {
    for (const [minute, earlyWarning] of Object.entries(choices)) {
      const before = await db()
        .transaction()
        .execute((tx) => lockUser(tx, userId));
      if (before === null) throw new Error('no user');
      const lets = letsPause(before, earlyWarning, at(Number(minute)));
      const settings = { ...before, earlyWarning, ...lets, resumeSettings: DEFAULT_RESUME };
      const { threshold, email, onForNewCampaigns, hasMonthlySummary, resumeSettings } = settings;
      const others = { threshold, email, onForNewCampaigns, hasMonthlySummary, resumeSettings };
      await saveSettings(db(), userId, { ...others, earlyWarning, ...lets });
    }
  }
  const actingAt = async (minute: number) => {
    const found = await findActing(db(), [userId], { now: at(minute), matchBegan: null });
    return (found.get(userId) ?? []).map(({ since, until }) => [
      (since - NOW) / minutes(1),
      until === null ? null : (until - NOW) / minutes(1),
    ]);
  };

  test.each<[string, Record<number, EarlyWarningChoice>, (number | null)[][]]>([
    ['never, without the choice', {}, []],
    ['never, with another choice', { 0: 'notify' }, []],
    ['from its begin', { 0: 'pause' }, [[10, null]]],
    ['from the choice', { 20: 'pause' }, [[20, null]]],
    ['until another choice', { 0: 'pause', 30: 'official' }, [[10, 30]]],
    ['not after a choice that ended before it', { 0: 'pause', 5: 'notify' }, []],
    ['twice, after another choice between', { 0: 'pause', 20: 'official', 30: 'pause' }, [[10, 20], [30, null]]], // prettier-ignore
    ['thrice', { 0: 'pause', 15: 'notify', 20: 'pause', 25: 'official', 30: 'pause' }, [[10, 15], [20, 25], [30, null]]], // prettier-ignore
    ['from its begin, the same chosen twice', { 0: 'pause', 20: 'pause' }, [[10, null]]],
  ])('%s', async (_name, choices, expected) => {
    await warned(10, null);
    await choose(choices);
    expect((await actingAt(40)).sort()).toEqual(expected);
  });

  test('until its end, also for a choice that was changed since', async () => {
    await warned(10, 20);
    await choose({ 0: 'pause', 25: 'official', 30: 'pause' });
    expect(await actingAt(40)).toEqual([[10, 20]]);
  });

  test('none that is only recorded, or that only notifies', async () => {
    await warned(1, 10, { acts: false });
    await warned(10, null, { state: 'SUSPECTED' });
    await choose({ 0: 'pause' });
    expect(await actingAt(40)).toEqual([]);
  });

  test('one that no process has weighed for an hour ended then', async () => {
    await warned(10, null);
    await choose({ 0: 'pause' });
    expect(await actingAt(119)).toEqual([[10, null]]);
    expect(await actingAt(121)).toEqual([[10, 60]]);
  });
});
