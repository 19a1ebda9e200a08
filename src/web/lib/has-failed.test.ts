import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { hasFailed } from './has-failed.ts';

test('[API-21, SUB-01] a read that failed has failed until one succeeds, also while it is tried again', async () => {
  let next = Promise.withResolvers<string>();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const query = new QueryObserver(client, { queryKey: ['status'], queryFn: () => next.promise });
  const states: boolean[] = [];
  const stop = query.subscribe((result) => void states.push(hasFailed(result)));
  const failed = next;
  next = Promise.withResolvers();
  failed.reject(new Error('no response'));
  await expect.poll(() => states.at(-1)).toBe(true);
  states.length = 0;
  const again = query.refetch();
  next.resolve('UP');
  await again;
  expect([states.slice(0, -1).includes(false), states.at(-1)]).toEqual([false, false]);
  stop();
});
