import { expect, test } from 'vitest';
import type { HeldAccount } from '#contract/shapes.ts';
import { CallError } from '../../../api/call.ts';
import type { Failure, Progress } from '../bulk/run.ts';
import { runBulk } from '../bulk/run.ts';
import type { HeldCampaign } from './turn-off-and-resume.ts';
import { createResumer } from './turn-off-and-resume.ts';

const refusal = (code: string, status: number) => new CallError('no', { status, code, reason: `${code}!` });
const BUSY = refusal('CAMPAIGN_BUSY', 409);

const TARGETS: HeldCampaign[] = [
  { accountId: 'act_1', id: '1', name: 'Hats' },
  { accountId: 'act_1', id: '2', name: 'Shoes' },
  { accountId: 'act_2', id: '3', name: 'Toys' },
];

/** @param fails the error of a call, by its name: 'off Hats', 'resume Hats' */
async function run(fails: Record<string, Error> = {}, accounts: HeldAccount[] = []) {
  const sent: string[] = [];
  const send = (what: string) => async (campaign: HeldCampaign) => {
    const name = `${what} ${campaign.name}`;
    sent.push(name);
    await Promise.resolve();
    if (fails[name] !== undefined) throw fails[name];
  };
  const resumer = createResumer({ turnOff: send('off'), resume: send('resume') }, accounts);
  let { done, failed }: Progress<HeldCampaign> = { done: [], failed: [] };
  const obstacle = await runBulk({
    targets: TARGETS,
    signal: new AbortController().signal,
    concurrency: 1,
    send: resumer.send,
    onProgress: (progress) => ({ done, failed } = progress),
  });
  const namesOf = (failures: readonly Failure<HeldCampaign>[]) => failures.map(({ target }) => target.name);
  const { stillPaused, unknown } = resumer.failures;
  return {
    sent,
    done: done.map(({ name }) => name),
    failed: namesOf(failed),
    stillPaused: namesOf(stillPaused),
    unknown: namesOf(unknown),
    obstacle,
  };
}

test('[UX-03, UX-05] one campaign at a time: SmartPause off, then resumed', async () => {
  const { sent, done, stillPaused, unknown } = await run();
  expect(sent).toEqual(['off Hats', 'resume Hats', 'off Shoes', 'resume Shoes', 'off Toys', 'resume Toys']);
  expect([done, stillPaused, unknown]).toEqual([['Hats', 'Shoes', 'Toys'], [], []]);
});

test('[UX-03, UX-05] after a failed resume the other campaigns of the account keep SmartPause on', async () => {
  const result = await run({ 'resume Hats': BUSY });
  expect(result.sent).toEqual(['off Hats', 'resume Hats', 'off Toys', 'resume Toys']);
  expect(result).toMatchObject({ done: ['Toys'], failed: ['Hats'], stillPaused: ['Hats'], unknown: [] });
});

test('[UX-03, UX-05] after a refused turn-off the campaign keeps SmartPause on, as do the others', async () => {
  const result = await run({ 'off Hats': BUSY });
  expect(result.sent).toEqual(['off Hats', 'off Toys', 'resume Toys']);
  expect(result).toMatchObject({ done: ['Toys'], failed: ['Hats'], stillPaused: [], unknown: [] });
});

test.each<[string, Error, 'stillPaused' | 'unknown']>([
  ['a lost response', new TypeError('Failed to fetch'), 'unknown'],
  ['a timeout', new DOMException('', 'TimeoutError'), 'unknown'],
  ['a proxy', new CallError('no', { status: 502 }), 'unknown'],
  ['a server error', refusal('SERVER_ERROR', 500), 'unknown'],
  ['an unavailable database', refusal('TRY_LATER', 503), 'unknown'],
  ['a refusal by Meta', refusal('CAMPAIGN_ACTION_FAILED', 502), 'stillPaused'],
  ['a refusal', refusal('SMARTPAUSE_ACTIVE', 409), 'stillPaused'],
])('[UX-05] the state after %s: %3$s', async (_, error, group) => {
  const known = await run({ 'resume Hats': error });
  expect(known).toMatchObject({ stillPaused: [], unknown: [], [group]: ['Hats'] });
  // Whether SmartPause is off is unknown, too.
  const { unknown, stillPaused } = await run({ 'off Hats': error });
  expect([unknown, stillPaused]).toEqual([group === 'unknown' ? ['Hats'] : [], []]);
});

test('[UX-05] accounts whose resume is delayed are skipped', async () => {
  const account = { id: 'act_1', name: 'Lind Outdoor', count: 2, delayedBy: 'limited' } as const;
  const { sent, done, failed } = await run({}, [account]);
  expect([sent, done, failed]).toEqual([['off Toys', 'resume Toys'], ['Toys'], []]);
});

test('[UX-05] a refused token stops all: the rest keeps SmartPause on', async () => {
  const result = await run({ 'resume Hats': refusal('TOKEN_EXPIRED', 502) });
  expect(result.sent).toEqual(['off Hats', 'resume Hats']);
  expect(result).toMatchObject({ done: [], stillPaused: ['Hats'], obstacle: 'TOKEN_EXPIRED!' });
});
