import { expect, test } from 'vitest';
import type { Pool, PoolClient, QueryResult } from '../../src/server/db/pool/pool.ts';
import { freshDatabase } from '../../test/support/database.ts';
import { newAdvertiser, statusesOf } from '../../test/support/product.ts';
import { startWorld } from '../../test/support/world.ts';

// Counted instead of timed, so that it is the same on every machine.

interface Cost {
  calls: number;
  statements: number;
}

/** Calls `onQuery` at each statement. */
function countedPool(inner: Pool, onQuery: () => void): Pool {
  const counted = (client: PoolClient): PoolClient => ({
    query: (async (text: string, values?: readonly unknown[]): Promise<QueryResult> => {
      onQuery();
      return client.query(text, values);
    }) as PoolClient['query'],
    release: (destroy) => client.release(destroy),
  });
  return {
    options: inner.options,
    connect: async () => counted(await inner.connect()),
    query: (text, values) => {
      onQuery();
      return inner.query(text, values);
    },
    end: () => inner.end(),
  };
}

/** What the pauses and the resumes of an outage cost for one ad account. */
async function costOf(campaigns: number): Promise<{ pause: Cost; resume: Cost }> {
  let statements = 0;
  const database = await freshDatabase();
  const pool = countedPool(database.pool, () => (statements += 1));
  const world = await startWorld({ database: { ...database, pool }, isStepped: true });
  const { graph, status } = world.simulators;
  try {
    const who = await newAdvertiser({
      ...world,
      campaigns: Array.from({ length: campaigns }, () => 'ACTIVE' as const),
    });
    await world.turn();
    const costs: Cost[] = [];
    for (const [phrase, wanted] of [
      ['High disruptions', 'PAUSED'],
      ['Resolved', 'ACTIVE'],
    ] as const) {
      await status.reports(phrase);
      await graph.ask('DELETE', '/requests');
      statements = 0;
      await world.turn();
      const { requests: calls } = await graph.ask<{ requests: number }>('GET', '/requests/tally');
      costs.push({ calls, statements });
      expect(new Set(await statusesOf(world.simulators, who.campaignIds))).toEqual(new Set([wanted]));
    }
    const [pause, resume] = costs;
    if (pause === undefined || resume === undefined) throw new Error('both were counted');
    return { pause, resume };
  } finally {
    await world.close();
  }
}

test('an outage costs two or three calls, and as many statements for 50 campaigns as for 2', async () => {
  const [few, many] = [await costOf(2), await costOf(50)];
  expect([many.pause.calls, many.resume.calls]).toEqual([2, 3]);
  expect(many.pause.statements).toBeLessThanOrEqual(few.pause.statements + 2);
  expect(many.resume.statements).toBeLessThanOrEqual(few.resume.statements + 2);
});
