import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { plantCrowd, plantRows, plantTokens } from '../bench/population.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { createDb } from '../../src/server/db/database.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { freshDatabase } from '../../test/support/database.ts';
import { KEY_OF_TESTS, startProduct } from '../../test/support/product.ts';

// The cost of one outage: counted instead of timed, so that it is the same on every machine.

const POPULATION = { users: 4, accountsEach: 5, campaignsEach: 10 };
const ACCOUNTS = POPULATION.users * POPULATION.accountsEach;
const CAMPAIGNS = ACCOUNTS * POPULATION.campaignsEach;

interface Cost {
  calls: number;
  statements: number;
  /** Inserted, updated and deleted rows by table. */
  rows: Record<string, number>;
}

let simulators: Simulators;
let stop: () => Promise<void>;
let asked: Counter;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  const database = await freshDatabase();
  const tokens = await plantCrowd(simulators.graph, POPULATION);
  const db = createDb(database.pool);
  const at = new Date();
  await plantRows(db, POPULATION, at);
  await db
    .updateTable('app_user')
    .set({ resume_settings: JSON.stringify({ mode: 'instant' }) })
    .execute();
  await plantTokens(db, createTokenCipher([KEY_OF_TESTS]), tokens, at);
  asked = await Counter.of(database.url);
  const product = await startProduct({ simulators, database });
  stop = async () => {
    await asked.close();
    await product.close();
    await simulators.stop();
  };
}, 120_000);
afterAll(() => stop());

test('an outage costs two calls and few rows for each ad account and campaign', async () => {
  await waitFor('the first reading of the status', () =>
    asked.says(`select 1 from platform_status where effective = 'UP'`),
  );
  await asked.learnsIdleStatements(simulators);

  const pause = await costOf(async () => {
    await simulators.status.reports('High disruptions');
    await waitFor('every pause to be confirmed and every email to be sent', () =>
      asked.says(`select 1 where (select count(*) from hold where state = 'paused' and sent_at is null) = ${CAMPAIGNS}
        and not exists (select 1 from work_item where lease_until is not null) and not exists (select 1 from notification where sent_at is null)`),
    );
  });
  const resume = await costOf(async () => {
    await simulators.status.reports('Resolved');
    await waitFor('every resume to be confirmed and every email to be sent', () =>
      asked.says(`select 1 where not exists (select 1 from hold where state = 'paused')
        and not exists (select 1 from work_item where lease_until is not null) and not exists (select 1 from notification where sent_at is null)`),
    );
  });
  process.stdout.write(tableOf({ pause, resume }));
  for (const { calls, statements, rows, callsEach } of [
    { ...pause, callsEach: 2 },
    { ...resume, callsEach: 3 },
  ]) {
    expect(calls).toBe(callsEach * ACCOUNTS);
    // Several accounts may share a statement, depending on timing.
    expect(statements / ACCOUNTS).toBeLessThan(8);
    const { hold, campaign, activity, ...others } = rows;
    expect({ hold, campaign, activity }).toEqual({
      hold: 2 * CAMPAIGNS,
      campaign: CAMPAIGNS,
      activity: CAMPAIGNS,
    });
    expect(sum(Object.values(others)) / ACCOUNTS).toBeLessThan(10);
  }
});

async function costOf(happens: () => Promise<void>): Promise<Cost> {
  await simulators.graph.ask('DELETE', '/requests');
  await asked.starts();
  await happens();
  const { statements, rows } = await asked.result();
  const { requests: calls } = await simulators.graph.ask<{ requests: number }>('GET', '/requests/tally');
  return { calls, statements, rows };
}

/**
 * Counts the statements of this process by text, and the rows written by any process with triggers.
 * Excludes the rows of status observations: their number depends on the duration of the test.
 */
class Counter {
  readonly #client: pg.Client;
  readonly #texts: string[] = [];
  readonly #idle = new Set<string>();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async of(url: string): Promise<Counter> {
    const client = new pg.Client(url);
    await client.connect();
    const counter = new Counter(client);
    await client.query(TRIGGERS);
    const usual = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
      const [first] = args as [string | { text?: string }];
      if (this !== client) counter.#texts.push(typeof first === 'string' ? first : (first.text ?? ''));
      return usual.apply(this, args) as never;
    });
    return counter;
  }

  async says(query: string): Promise<boolean> {
    return ((await this.#client.query(query)).rowCount ?? 0) > 0;
  }

  /** Excludes the statements of an idle product. */
  async learnsIdleStatements({ status }: Simulators): Promise<void> {
    await status.ask('DELETE', '/requests');
    await waitFor('the status page to be read 20 times', async () => (await status.requests()).length >= 20);
    for (const text of this.#texts) this.#idle.add(text);
  }

  async starts(): Promise<void> {
    this.#texts.length = 0;
    await this.#client.query('truncate written');
  }

  async result(): Promise<Pick<Cost, 'statements' | 'rows'>> {
    const { rows } = await this.#client.query<{ name: string; rows: number }>(
      'select name, sum(rows)::int as rows from written group by name order by rows desc',
    );
    return {
      statements: this.#texts.filter((text) => !this.#idle.has(text)).length,
      rows: Object.fromEntries(rows.map(({ name, rows: written }) => [name, written])),
    };
  }

  async close(): Promise<void> {
    vi.restoreAllMocks();
    await this.#client.end();
  }
}

const TRIGGERS = `
  create table written (name text, rows bigint);
  create function count_written() returns trigger language plpgsql as $$
  begin
    insert into written select TG_TABLE_NAME, count(*) from changed having count(*) > 0;
    return null;
  end $$;
  do $$
  declare
    name text;
  begin
    for name in select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and table_name not in ('written', 'platform_status', 'status_answer', 'status_file', 'observation')
    loop
      execute format('create trigger count_insert after insert on %I referencing new table as changed for each statement execute function count_written()', name);
      execute format('create trigger count_update after update on %I referencing new table as changed for each statement execute function count_written()', name);
      execute format('create trigger count_delete after delete on %I referencing old table as changed for each statement execute function count_written()', name);
    end loop;
  end $$`;

function tableOf(costs: Record<string, Cost>): string {
  const lines = Object.entries(costs).flatMap(([name, { calls, statements, rows }]) => [
    line(`${name}: Meta calls`, calls),
    line(`${name}: SQL statements`, statements),
    line(`${name}: rows written`, sum(Object.values(rows))),
    ...Object.entries(rows).map(([table, written]) => line(`${name}:   ${table}`, written)),
  ]);
  return [`${' '.repeat(32)}   total  per account  per campaign`, ...lines, ''].join('\n');
}

function line(name: string, total: number): string {
  const cells = [String(total), (total / ACCOUNTS).toFixed(2), (total / CAMPAIGNS).toFixed(2)];
  return `${name.padEnd(32)}${cells.map((cell, index) => cell.padStart([8, 13, 14][index] ?? 0)).join('')}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
