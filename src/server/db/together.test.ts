import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeEachEngine, useFreshDb } from '../../../test/database.ts';
import type { Db } from './database.ts';
import { inTransaction } from './database.ts';
import { together } from './together.ts';

const insert = (id: string) => (tx: Db) =>
  tx
    .insertInto('campaign_list')
    .values({ account_id: id, read_at: new Date(0) })
    .returning('account_id')
    .executeTakeFirstOrThrow();
const count = async (db: Db): Promise<number> =>
  (await db.selectFrom('campaign_list').selectAll().execute()).length;
const fail = (tx: Db) => sql`select 1 / 0`.execute(tx);

describeEachEngine('what is sent together', (engine) => {
  const db = useFreshDb(engine);

  test('is carried out in its order, and each step gets its own answer', async () => {
    const answers = await inTransaction(db(), async (tx) => {
      const [first, before, second, after] = await together(tx, [insert('1'), count, insert('2'), count]);
      return [first.account_id, before, second.account_id, after, await count(tx)];
    });
    expect(answers).toEqual(['1', 1, '2', 2, 2]);
    expect(await count(db())).toBe(2);
  });

  test('is a part of its transaction: one that fails undoes all of it, and the session goes on', async () => {
    const before = await count(db());
    const doing = inTransaction(db(), (tx) => together(tx, [insert('3'), fail, insert('4')]));
    await expect(doing).rejects.toThrow('division by zero');
    expect(await count(db())).toBe(before);
    await inTransaction(db(), (tx) => together(tx, [insert('5')]));
    expect(await count(db())).toBe(before + 1);
  });

  test('has come to its end when it fails: nothing of it is under way any more', async () => {
    let ended = 0;
    const endLater = async (tx: Db) => {
      await count(tx).catch(() => undefined);
      await new Promise(setImmediate);
      ended += 1;
    };
    const failAtOnce = () => Promise.reject(new Error('at once'));
    const doing = inTransaction(db(), (tx) => together(tx, [endLater, failAtOnce]));
    await expect(doing).rejects.toThrow('at once');
    expect(ended).toBe(1);
  });

  test('may hold more of its kind, and be in a session without a transaction', async () => {
    const inside = (tx: Db) => together(tx, [insert('6'), count]);
    const counts = await db()
      .connection()
      .execute((one) => together(one, [inside, count]));
    expect(counts[1]).toBe(counts[0][1]);
  });
});
