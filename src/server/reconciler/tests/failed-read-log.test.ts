import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';

let log = '';
const logTo = new PassThrough();
logTo.on('data', (chunk: Buffer) => (log += chunk.toString()));
const suite = engineSuite({ logTo, environment: { LOG_LEVEL: 'warn' } });

test.each([
  ['campaigns', 'the campaigns could not be read'],
  ['activities', 'the activity log could not be read'],
])('a failed read of %s is logged as such, and the resume follows', async (path, message) => {
  const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
  await suite.report('High disruptions', 'HIGH_DISRUPTION');
  await suite.become(who, ['PAUSED']);
  await suite.settled(who);
  log = '';
  const match = { user: who.userId, method: 'GET', path };
  await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 1, match });
  await suite.report('Resolved', 'UP');
  await suite.become(who, ['ACTIVE']);
  expect(log.match(/the (campaigns|activity log) could not be read/g)).toEqual([message]);
});
