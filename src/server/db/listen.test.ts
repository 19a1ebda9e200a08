import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/support/database.ts';

const TIMEOUT_MS = 10_000;

describe('listen', () => {
  let database: FreshDatabase;
  const heard: string[] = [];
  const onGap = vi.fn();

  beforeEach(async () => {
    heard.length = 0;
    onGap.mockReset();
    database = await freshDatabase({ migrations: {} });
  });
  afterEach(() => database.close());

  const listen = () =>
    database.listen({ channel: 'news', onMessage: (payload) => void heard.push(payload), onGap });
  const hears = (all: string[]) => vi.waitFor(() => expect(heard).toEqual(all), TIMEOUT_MS);

  it('receives committed messages of its own channel, until it is closed', async () => {
    const listening = await listen();
    const client = await database.pool.connect();
    await client.query(`begin; notify news, 'undone'`);
    await client.query('rollback');
    await client.query(`begin; notify news, 'done'; notify other, 'else'`);
    await client.query('select 1');
    expect(heard).toEqual([]);
    await client.query('commit');
    client.release();
    await hears(['done']);
    await database.pool.query(`select pg_notify('news', $1)`, ['parameter']);
    await hears(['done', 'parameter']);
    await listening.close();
    await database.pool.query(`notify news, 'late'`);
    expect([heard.length, onGap.mock.calls.length]).toEqual([2, 0]);
  });

  it('reconnects after its connection broke and reports a gap', async () => {
    const listening = await listen();
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'smartpause-listener'`,
    );
    await vi.waitFor(() => expect(onGap).toHaveBeenCalledOnce(), TIMEOUT_MS);
    await database.pool.query(`notify news, 'again'`);
    await hears(['again']);
    await listening.close();
  });
});
