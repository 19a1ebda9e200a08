import { Kysely, Transaction } from 'kysely';
import type { Db } from './database.ts';
import type { Schema } from './schema.ts';
import { SingleSessionAdapter } from './single-session.ts';

/**
 * What does not wait for each other's answers, in one transaction. A single session gets all of it at once, since an answer that is
 * waited for costs it a way to a busy thread and back in which it does nothing. Several sessions get it one after
 * another, so that they lock in the same order.
 */
export async function together<Steps extends readonly ((tx: Db) => Promise<unknown>)[]>(
  tx: Db,
  steps: readonly [...Steps],
): Promise<{ [Step in keyof Steps]: Awaited<ReturnType<Steps[Step]>> }> {
  type Results = { [Step in keyof Steps]: Awaited<ReturnType<Steps[Step]>> };
  const executor = tx.getExecutor();
  const { adapter } = executor;
  if (!(adapter instanceof SingleSessionAdapter)) {
    const results: unknown[] = [];
    for (const step of steps) results.push(await step(tx));
    return results as Results;
  }
  const { dialect, driver } = adapter;
  return executor.provideConnection(async (connection) => {
    const provider = {
      provideConnection: <T>(use: (one: typeof connection) => Promise<T>) => use(connection),
    };
    const props = {
      config: { dialect },
      dialect,
      driver,
      executor: executor.withConnectionProvider(provider),
    };
    const all = tx.isTransaction ? new Transaction<Schema>(props) : new Kysely<Schema>(props);
    // The session is given back only when nothing of it is under way any more, also when one has failed.
    const outcomes = await Promise.allSettled(steps.map((step) => step(all)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as Results;
  });
}
