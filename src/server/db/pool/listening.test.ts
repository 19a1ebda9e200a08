import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';

const PATIENCE_MS = 10_000;

describe('listening', () => {
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
  const hears = (all: string[]) => vi.waitFor(() => expect(heard).toEqual(all), PATIENCE_MS);

  it('hears what a transaction said once it is committed, of its own channel, until it is closed', async () => {
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

  it('goes on when a session is thrown away', async () => {
    const listening = await listen();
    (await database.pool.connect()).release(true);
    await database.pool.query(`notify news, 'after'`);
    await hears(['after']);
    await listening.close();
  });
});

describe('a broken listener', () => {
  it('connects again, and says that it may have missed something', async () => {
    const database = await freshDatabase({ migrations: {} });
    const heard: string[] = [];
    const onGap = vi.fn();
    const listening = await database.listen({
      channel: 'news',
      onMessage: (one) => void heard.push(one),
      onGap,
    });
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'smartpause-listener'`,
    );
    await vi.waitFor(() => expect(onGap).toHaveBeenCalledOnce(), PATIENCE_MS);
    await database.pool.query(`notify news, 'again'`);
    await vi.waitFor(() => expect(heard).toEqual(['again']), PATIENCE_MS);
    await listening.close();
    await database.close();
  });
});
