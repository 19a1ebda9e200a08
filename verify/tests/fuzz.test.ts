import { expect, inject, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fuzz } from '../fuzz/run.ts';

const TIMEOUT_MS = 1_200_000;

test(
  'a thousand requests of every kind cause no fault, no leak and no unrequested write',
  async () => {
    const postgresUrl = inject('postgresUrl');
    const { findings, statuses } = await fuzz({ requests: 1000, seed: 20_261_121, postgresUrl });
    expect(findings).toEqual([]);
    const statusesOf = (name: string): number[] => [...(statuses.get(name)?.keys() ?? [])];
    const calls = Object.keys(api);
    expect(calls.filter((name) => !statusesOf(name).some((status) => status >= 400))).toEqual([]);
    // Only the product knows the ids of outages, and deletion codes.
    const refused = calls.filter((name) => !statusesOf(name).includes(200));
    expect(refused.filter((name) => !['outage', 'deletionStatus'].includes(name))).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'finds a refused request that changed the database',
  async () => {
    const refused = 'await requireMayAct(deps.db, user, now);\n  await inTransaction';
    const fault = {
      file: 'src/server/services/settings.ts',
      find: refused,
      replace: `await applySettings(deps, deps.db, { userId: user.id, body, now });\n  ${refused}`,
    };
    const postgresUrl = inject('postgresUrl');
    const { findings } = await fuzz({ requests: 100, seed: 1, only: 'saveSettings', fault, postgresUrl });
    expect(findings.join('\n')).toMatch(/refused with 4\d\d, and app_user changed/);
  },
  TIMEOUT_MS,
);
