import { describe, expect, test } from 'vitest';
import { DEFAULT_RESUME } from '#core/settings.ts';
import { useFreshDb } from '../../../../test/support/database.ts';
import { OffsetClock } from '../../../../scripts/outside/offset-clock.ts';
import { startSession } from '../../db/users/sessions.ts';
import { shareReads } from './shared-reads.ts';

describe('shared reads', () => {
  const db = useFreshDb();
  const clock = new OffsetClock();

  async function users(count: number) {
    const names = Array.from({ length: count }, (_, n) => `user ${n}`);
    const rows = await db()
      .insertInto('app_user')
      .values(
        names.map((name) => ({
          platform_user_id: name,
          name,
          resume_settings: JSON.stringify(DEFAULT_RESUME),
          logged_in_at: new Date(clock.now()),
          created_at: new Date(clock.now()),
        })),
      )
      .returning(['id', 'name'])
      .execute();
    return Promise.all(
      rows.map(async (row) => ({ ...row, token: await startSession(db(), { userId: row.id }, clock.now()) })),
    );
  }

  test('each request gets its own session, also with repeated and unknown tokens', async () => {
    const shared = shareReads(db(), clock);
    const all = await users(120);
    const twice = [...all, ...all];
    const found = await Promise.all(twice.map(({ token }) => shared.session(token)));
    expect(found.map((session) => session?.user.id)).toEqual(twice.map(({ id }) => id));
    expect(found.map((session) => session?.user.name)).toEqual(twice.map(({ name }) => name));
    const [some] = all;
    const strangers = await Promise.all([shared.session('x'.repeat(43)), shared.session(some?.token ?? '')]);
    expect(strangers.map((session) => session?.user.id)).toEqual([undefined, some?.id]);
    expect(await Promise.all(all.map(({ id }) => shared.tokenFacts(id)))).toEqual(all.map(() => null));
  });

  test('no caching: a request after the end of a session or a status change sees it', async () => {
    const shared = shareReads(db(), clock);
    await db().deleteFrom('app_user').execute();
    const [who, other] = await users(2);
    if (who === undefined || other === undefined) throw new Error('the test needs two users');
    const before = [shared.session(who.token), shared.session(other.token), shared.session(who.token)];
    await Promise.all(before);
    await db().deleteFrom('session').where('user_id', '=', who.id).execute();
    expect(await Promise.all([shared.session(who.token), shared.session(other.token)])).toMatchObject([
      null,
      { user: { id: other.id } },
    ]);
    await db().updateTable('platform_status').set({ message: 'last' }).execute();
    const last = await Promise.all(Array.from({ length: 60 }, () => shared.status()));
    expect(new Set(last.map(({ message }) => message))).toEqual(new Set(['last']));
  });
});
