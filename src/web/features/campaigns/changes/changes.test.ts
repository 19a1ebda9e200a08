import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdAccount, Campaign, UserStatus } from '#contract/shapes.ts';
import { CallError } from '../../../lib/api-client.ts';
import type { Target } from './actions.ts';
import { ALLOWED, canTurn, choiceOfAll, namesOf } from './actions.ts';
import type { Situation } from './questions.ts';
import {
  hasConsequences,
  leavingOut,
  questionBefore,
  questionBeforeAll,
  questionBeforeResume,
  skippedCopy,
} from './questions.ts';
import type { Progress } from './outcome.ts';
import { isToldByRow, nextSteps, outcomeText, outcomeTitle, progressText, runChange } from './outcome.ts';

const account = { id: 'act_1', name: 'Lind Outdoor' };
const kids = { id: 'act_2', name: 'Lind Kids' };

function campaign(name: string, given: Partial<Campaign> = {}): Campaign {
  const usual = { id: name, objective: '', dailyBudget: null, held: false, status: 'ACTIVE' } as const;
  return { ...usual, name, smartPauseSetting: 'OFF', ...given };
}

const target = (name: string, given: Partial<Campaign> = {}): Target => ({
  account,
  campaign: campaign(name, given),
});

const user: UserStatus = {
  resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  outageThreshold: 'MEDIUM',
  email: null,
  resumeAt: null,
};
const QUIET: Situation = { status: { status: 'UP', message: '' }, user };
const OUTAGE: Situation = { status: { status: 'HIGH_DISRUPTION', message: '' }, user };

test('[DASH-13] SmartPause is turned on and off in bulk where that is possible', () => {
  const all = [
    target('running'),
    target('paused', { status: 'PAUSED' }),
    target('protected', { smartPauseSetting: 'ON' }),
    target('held', { status: 'PAUSED', smartPauseSetting: 'ON', held: true }),
    target('disabled', { smartPauseSetting: 'DEACTIVATED' }),
    target('legacy', { isLegacyAdvantage: true }),
    target('legacy and on', { isLegacyAdvantage: true, smartPauseSetting: 'ON' }),
    target('archived', { status: 'ARCHIVED' }),
    target('ended', { undelivered: { why: 'ended', at: '2026-03-16T23:30:00.000Z' } }),
  ];
  const names = (to: 'on' | 'off', targets: Target[]) =>
    targets.filter((one) => canTurn(one, to)).map(({ campaign: { name } }) => name);
  expect(names('on', all)).toEqual(['running', 'paused', 'disabled']);
  expect(names('off', all)).toEqual(['protected', 'held', 'legacy and on']);
  for (const notProtected of ['role', 'no_access'] as const) {
    const readOnly = all.map((one) => ({ ...one, account: { ...account, notProtected } }));
    expect(names('on', readOnly)).toEqual([]);
    expect(names('off', readOnly)).toEqual(['protected', 'held', 'legacy and on']);
  }
  const unconfirmed = { ...target('soon'), account: { ...account, notProtected: 'unconfirmed' as const } };
  expect(names('on', [unconfirmed])).toEqual(['soon']);
});

const shoes = target('Shoes', { status: 'PAUSED' });
const two = [target('Hats'), shoes];
const held = target('Hats', { held: true });
const heldByOther = target('Hats', { status: 'PAUSED', smartPauseSetting: 'ON', heldByOther: true });

test.each([
  ['on', two, QUIET, false],
  ['on', [shoes], OUTAGE, false],
  ['on', two, OUTAGE, true],
  ['off', two, OUTAGE, false],
  ['off', [heldByOther], OUTAGE, false],
  ['off', [held, shoes], QUIET, true],
] as const)('[UX-03] turning SmartPause %s for %j', (to, targets, situation, isAsked) => {
  expect(hasConsequences(to, targets, situation)).toBe(isAsked);
});

test('[UX-03] the question before turning on says what is paused now, and follows the status while it is open', () => {
  expect(questionBefore('on', [target('Hats')], OUTAGE)).toEqual({
    title: 'Turn on and pause now?',
    sentences: [
      'Meta has a high disruption, so “Hats” is paused immediately.',
      'It resumes 5 minutes after the outage ends.',
    ],
    confirm: 'Turn on and pause',
  });
  expect(questionBefore('on', [target('Hats')], QUIET)).toEqual({
    title: 'Turn on SmartPause for “Hats”?',
    sentences: [],
    confirm: 'Turn on',
  });
  expect(questionBefore('on', two, OUTAGE)).toMatchObject({
    title: 'Turn on SmartPause for 2 campaigns?',
    sentences: ['Meta has a high disruption, so 1 of them is paused immediately.', expect.any(String)],
    confirm: 'Turn on and pause 1',
  });
});

test('[UX-03] turning SmartPause off for paused campaigns offers to resume them, unless that is delayed', () => {
  expect(questionBefore('off', [held], OUTAGE)).toEqual({
    title: 'Turn off SmartPause for “Hats”?',
    sentences: ['SmartPause paused this campaign.', 'If you keep it paused, SmartPause won’t resume it.'],
    confirm: 'Keep paused',
    resume: 'Resume now',
  });
  expect(questionBefore('off', [held, shoes], OUTAGE)).toEqual({
    title: 'Turn off SmartPause for 2 campaigns?',
    sentences: ['1 is paused by SmartPause.', 'If you keep it paused, SmartPause won’t resume it.'],
    confirm: 'Keep 1 paused',
    resume: 'Resume 1 now',
  });
  const heldAccounts = [{ ...account, count: 1, delayedBy: 'no_answer' as const }];
  const delayed = questionBefore('off', [held], { ...OUTAGE, user: { ...user, heldAccounts } });
  expect(delayed.sentences).toContain('Meta isn’t responding for Lind Outdoor: we keep trying.');
  expect(delayed.resume).toBeUndefined();
});

test('[UX-05, UX-09] a change of several ad accounts names them, and what is left out', () => {
  const targets = [target('Hats'), { account: kids, campaign: campaign('Toys') }];
  const leftOut = leavingOut([{ name: 'Lind Yachts' }], (names) => `Not included: ${names}.`);
  expect(questionBeforeAll(targets, QUIET, leftOut)).toEqual({
    title: 'Turn on SmartPause for 2 campaigns?',
    sentences: ['2 campaigns in 2 ad accounts: Hats and Toys.', 'Not included: Lind Yachts.'],
    confirm: 'Turn on for 2 campaigns',
  });
  expect(questionBeforeAll(targets, OUTAGE, leavingOut([], String)).confirm).toBe('Turn on and pause 2');
  const { title, sentences } = questionBeforeResume(targets, leftOut);
  expect(title).toBe('Resume 2 campaigns now?');
  expect(sentences[0]).toMatch(/^They are in Lind Outdoor and Lind Kids\. SmartPause is turned off/);
  expect(sentences.slice(1)).toEqual(leftOut);
});

test('[UX-09, FR-06, FR-07] turning on for all skips ad accounts where the user can’t pause, and counts what it skips', () => {
  const inAccount = (notProtected: AdAccount['notProtected'], given: Partial<Campaign> = {}): Target => ({
    account: { id: `act_${notProtected}`, name: `Lind ${notProtected}`, notProtected },
    campaign: campaign(`Toys ${notProtected}`, given),
  });
  const on = { smartPauseSetting: 'ON' } as const;
  const refused = [inAccount('role'), inAccount('no_access')];
  const others = [inAccount('role', on), inAccount('role', { status: 'PAUSED' })];
  const { targets, skipped } = choiceOfAll([target('Hats'), inAccount('unconfirmed'), ...refused, ...others]);
  expect(targets).toEqual([target('Hats'), inAccount('unconfirmed')]);
  expect(skipped).toEqual(refused);
  expect(skippedCopy(skipped)).toEqual([
    '2 campaigns are skipped: Meta doesn’t let you pause campaigns in Lind role and Lind no_access.',
  ]);
});

const refusal = (status: number, code = 'CAMPAIGN_BUSY') =>
  new CallError('no', { status, code, reason: `${code}!` });

/** @param failing the error of a campaign; the others succeed */
async function run(targets: readonly Target[], failing: Record<string, unknown>) {
  const sent: string[] = [];
  let underWay = 0;
  let most = 0;
  const outcome = await runChange(
    targets,
    async ({ campaign: { name } }) => {
      sent.push(name);
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      if (name in failing) throw failing[name];
      return name === 'late' ? { pendingStatus: 'PAUSED' as const } : {};
    },
    { onProgress: () => undefined, end: new AbortController() },
  );
  return { ...outcome, sent, most };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => target(String(at)));

test('[DASH-15] each campaign is sent once, six at a time, and counts as done or failed', async () => {
  const { done, failed, left, sent, most } = await run(many(20), { 3: refusal(409), 19: refusal(500) });
  expect(sent).toEqual(many(20).map((one) => one.campaign.name));
  expect([done.length, failed.length, left.length, most]).toEqual([18, 2, 0, 6]);
});

test.each([
  ['the session has ended', refusal(401)],
  ['no subscription', refusal(403)],
  ['too many requests', refusal(429)],
  ['Meta rejects the token', refusal(502, 'TOKEN_EXPIRED')],
  ['no response', new TypeError('Failed to fetch')],
])('a failure that applies to all ends the change: %s', async (_, error) => {
  const { done, failed, left } = await run(many(20), { 7: error });
  expect([done.length, failed.length, left.length]).toEqual([11, 1, 8]);
});

test('[FR-06, FR-07] an ad account where the role does not allow changes ends no other one', async () => {
  const resumes = many(7).map((one, at) => ({
    ...one,
    account: { ...account, id: `act_${at % 2}` },
    resumes: true,
  }));
  const { done, failed, left } = await run(resumes, { 0: refusal(403, 'ROLE_CANNOT_PAUSE') });
  expect([done.length, failed.length, left.length]).toEqual([3, 1, 3]);
});

describe('above the limit of requests, a change', () => {
  const limited = new CallError('no', { status: 429, retryAfterMs: 30_000 });
  beforeEach(() => vi.useFakeTimers({ now: 0 }));
  afterEach(() => vi.useRealTimers());

  test('of many campaigns waits as long as the server says, and reports when it sends again', async () => {
    const send = vi.fn(() => (Date.now() < 30_000 ? Promise.reject(limited) : Promise.resolve({})));
    const onProgress = vi.fn<(progress: Progress) => void>();
    const changing = runChange(many(8), send, { onProgress, end: new AbortController() });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(onProgress).toHaveBeenLastCalledWith({ count: 0, retryAt: 30_000 });
    await vi.advanceTimersByTimeAsync(1);
    const { done } = await changing;
    expect([done.length, send.mock.calls.length]).toEqual([8, 14]);
    expect(onProgress).toHaveBeenLastCalledWith({ count: 8, retryAt: null });
  });

  test('of one campaign fails at once', async () => {
    const { failed } = await run([target('Hats')], { Hats: limited });
    expect([Date.now(), failed.length]).toEqual([0, 1]);
  });

  test.each([
    ['a refusal that applies to all', refusal(403), [1, 9], 'Paused 0 of 10 campaigns.', ['Try again (10)']],
    ['the user', null, [0, 10], 'Stopped: Paused 0 of 10 campaigns.', []],
  ])('of many campaigns ends at once when %s ends it', async (_, refused, wanted, title, steps) => {
    const end = new AbortController();
    const send = async ({ campaign: { name } }: Target) => {
      if (refused === null || name !== '5') throw limited;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      throw refused;
    };
    const changing = runChange(many(10), send, { onProgress: () => undefined, end });
    await vi.advanceTimersByTimeAsync(1000);
    if (refused === null) end.abort();
    const outcome = await changing;
    const { failed, left } = outcome;
    expect([Date.now(), failed.length, left.length]).toEqual([1000, ...wanted]);
    expect(outcomeTitle('pause', outcome)).toBe(title);
    expect(nextSteps('pause', outcome, ALLOWED.all).map(({ text }) => text)).toEqual(steps);
  });
});

test('after a stop, only what failed is tried again', async () => {
  const end = new AbortController();
  const send = ({ campaign: { name } }: Target) => {
    if (name === '5') end.abort();
    return name === '0' ? Promise.reject(refusal(409)) : Promise.resolve({});
  };
  const outcome = await runChange(many(10), send, { onProgress: () => undefined, end });
  expect([outcome.failed.length, outcome.left.length]).toEqual([1, 4]);
  expect(outcomeTitle('on', outcome)).toBe('Stopped: SmartPause turned on for 5 of 10 campaigns.');
  const [again] = nextSteps('on', outcome, ALLOWED.all);
  expect(again?.targets.map(({ campaign: { name } }) => name)).toEqual(['0']);
});

test.each([
  [null, 'Waiting for the change before it…'],
  [{ count: 12, retryAt: null }, '12 of 5,000'],
  [{ count: 1200, retryAt: 41_001 }, '1,200 of 5,000. Too many requests this minute; tries again in 42 s.'],
])('the progress %j reads “%s”', (progress, text) => {
  expect(progressText(progress, 5000, 0)).toBe(text);
});

test('[UX-05] after a failed resume the other campaigns of the account keep SmartPause on', async () => {
  const resumes = [
    ...many(3).map((one) => ({ ...one, resumes: true })),
    { account: kids, campaign: campaign('Toys'), resumes: true },
  ];
  const outcome = await run(resumes, { 1: refusal(502, 'CAMPAIGN_ACTION_FAILED') });
  expect([outcome.sent, outcome.most]).toEqual([['0', 'Toys', '1'], 2]);
  expect(outcomeTitle('off', outcome)).toBe('Resumed 2 of 4 campaigns.');
  expect(outcomeText('off', outcome)).toBe(
    '1 failed: 1. CAMPAIGN_ACTION_FAILED! 1 not tried. Check the list: with SmartPause off, a campaign stays paused until you resume it.',
  );
});

test('campaigns of one name in several ad accounts are named with their ids', () => {
  const twin = { account: kids, campaign: campaign('2', { name: 'Hats' }) };
  expect(namesOf([target('Hats'), twin, target('Shoes')])).toBe('Hats (Hats), Hats (2) and Shoes');
});

test('the outcome names the campaigns that failed, and each reason once', async () => {
  const all = await run(many(2), {});
  expect([outcomeTitle('on', all), outcomeText('on', all)]).toEqual([
    'SmartPause turned on for 2 campaigns.',
    '',
  ]);
  const some = await run(many(4), { 1: refusal(409), 2: refusal(409) });
  expect(outcomeTitle('pause', some)).toBe('Paused 2 of 4 campaigns.');
  expect(outcomeText('pause', some)).toBe('0 and 3. 2 failed: 1 and 2. CAMPAIGN_BUSY!');
  const one = await run([target('Hats')], { Hats: refusal(409) });
  expect(outcomeTitle('on', one)).toBe('Failed to toggle SmartPause');
  expect(isToldByRow('on', one)).toBe(false);
  const locked = await run([target('Hats')], { Hats: refusal(409, 'SMARTPAUSE_ACTIVE') });
  expect(outcomeTitle('resume', locked)).toBe('SmartPause is active');
});

test('[UX-03] turning SmartPause off says that a held campaign stays paused; of other changes the row says enough', async () => {
  const held = await run([target('Hats', { held: true })], {});
  expect(outcomeText('off', held)).toBe('Hats stays paused until you resume it.');
  expect(isToldByRow('off', held)).toBe(false);
  const running = await run([target('Hats')], {});
  expect((['on', 'off', 'pause'] as const).map((action) => isToldByRow(action, running))).toEqual([
    true,
    true,
    false,
  ]);
  const resumed = await run([{ ...target('Hats', { held: true }), resumes: true }], {});
  expect(outcomeText('off', resumed)).toBe('');
});

test('[ENG-16] a change that Meta has not confirmed is not counted as done', async () => {
  const outcome = await run([target('late'), target('Hats')], {});
  expect(outcomeTitle('pause', outcome)).toBe('Paused 1 of 2 campaigns.');
  expect(outcomeText('pause', outcome)).toBe('Hats. 1 not confirmed by Meta yet.');
  expect(isToldByRow('pause', outcome)).toBe(true);
});
