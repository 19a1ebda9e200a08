import { expect, test, vi } from 'vitest';
import type { AdAccount, Campaign, UserStatus } from '#contract/shapes.ts';
import { CallError } from '../../lib/api-client.ts';
import type { Target } from './actions.ts';
import { ALLOWED, allowedFor, canTurn, choiceOfAll, namesOf } from './actions.ts';
import type { Outcome } from './outcome.ts';
import { isToldByRow, nextSteps, outcomeText, outcomeTitle } from './outcome.ts';
import type { Situation } from './questions.ts';
import {
  hasConsequences,
  leavingOut,
  questionBefore,
  questionBeforeAll,
  questionBeforeResume,
  skippedCopy,
} from './questions.ts';
import { followChange, outcomeOf, sendSingly } from './send.ts';

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
const QUIET: Situation = { status: { status: 'UP' }, user };
const OUTAGE: Situation = { status: { status: 'HIGH_DISRUPTION' }, user };

const WORD = { since: '2026-01-09T02:10:00Z', until: null, campaigns: 2 };
const PAUSED_ALL: Situation = { status: { status: 'UP' }, user: { ...user, pausedAll: WORD } };

test('[EARLY-08] during ‘Pause all now’ turning SmartPause on pauses at once, so the question comes before', () => {
  expect(hasConsequences('on', two, PAUSED_ALL)).toBe(true);
  expect(hasConsequences('on', [shoes], PAUSED_ALL)).toBe(false);
  expect(questionBefore('on', [target('Hats')], PAUSED_ALL)).toEqual({
    title: 'Turn on and pause now?',
    sentences: [
      '“Pause all now” is on, so “Hats” is paused immediately.',
      'It stays paused until you choose “Resume all”.',
    ],
    confirm: 'Turn on and pause',
  });
  const both = questionBefore('on', [target('Hats')], { ...OUTAGE, user: PAUSED_ALL.user });
  expect(both.sentences).toContain('Meta’s outage may keep it paused for longer.');
});

test('[EARLY-08] during ‘Pause all now’ the questions name it, and no outage', () => {
  const off = questionBefore('off', [held], PAUSED_ALL).sentences.join(' ');
  expect(off).toContain('won’t resume it when “Pause all now” ends.');
  const resume = questionBeforeResume([held], PAUSED_ALL, []).sentences.join(' ');
  expect(resume).toContain('won’t pause it again while “Pause all now” is on');
  expect(`${off} ${resume}`).not.toContain('this outage');
});

test('[EARLY-04] while an early warning pauses for the user, turning SmartPause on pauses at once', () => {
  const warning = { since: '2026-01-09T02:10:00Z', pauses: true, evidence: 'Calls to Meta fail.' };
  const status = { status: 'UP', warning } as const;
  const paused: Situation = { status, user: { ...user, earlyWarning: 'pause' } };
  expect(hasConsequences('on', [target('Hats')], paused)).toBe(true);
  expect(questionBefore('on', [target('Hats')], paused).sentences).toEqual([
    'An early warning is on, so “Hats” is paused immediately.',
    'It resumes 5 minutes after it’s over.',
  ]);
  for (const other of [
    { status, user: { ...user, earlyWarning: 'notify' as const } },
    { ...paused, status: { ...status, warning: { ...warning, pauses: false } } },
  ])
    expect(hasConsequences('on', [target('Hats')], other)).toBe(false);
});

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
    sentences: ['Nothing is paused now. In an outage SmartPause pauses it, and resumes it when it’s over.'],
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
    sentences: [
      'SmartPause paused this campaign.',
      'If you keep it paused, SmartPause won’t resume it when the outage ends.',
    ],
    confirm: 'Keep paused',
    resume: 'Resume now',
  });
  expect(questionBefore('off', [held, shoes], OUTAGE)).toEqual({
    title: 'Turn off SmartPause for 2 campaigns?',
    sentences: [
      '1 is paused by SmartPause.',
      'If you keep it paused, SmartPause won’t resume it when the outage ends.',
    ],
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
    sentences: [
      '2 campaigns in 2 ad accounts: Hats and Toys.',
      'Nothing is paused now. In an outage SmartPause pauses them, and resumes them when it’s over.',
      'Not included: Lind Yachts.',
    ],
    confirm: 'Turn on for 2 campaigns',
  });
  expect(questionBeforeAll(targets, OUTAGE, leavingOut([], String)).confirm).toBe('Turn on and pause 2');
  const { title, sentences } = questionBeforeResume(targets, OUTAGE, leftOut);
  expect(title).toBe('Resume 2 campaigns now?');
  expect(sentences[0]).toBe(
    'They are in Lind Outdoor and Lind Kids. SmartPause won’t pause them again in this outage, and stays on for the next one.',
  );
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

/** By the calls of the specification. @param failing the error of a campaign; the others succeed */
async function run(targets: readonly Target[], failing: Record<string, Error> = {}): Promise<Outcome> {
  const send = ({ name }: Campaign) => {
    const error = failing[name];
    if (error !== undefined) return Promise.reject(error);
    return Promise.resolve(name === 'late' ? { pendingStatus: 'PAUSED' as const } : {});
  };
  return sendSingly(
    'on',
    targets,
    () => undefined,
    (_, { campaign }) => send(campaign),
  );
}

const many = (count: number) => Array.from({ length: count }, (_, at) => target(String(at)));

test('[DASH-15] each campaign is sent, and counts as done or failed', async () => {
  const { done, failed, left } = await run(many(20), { 3: refusal(409), 19: refusal(500) });
  expect([done.length, failed.length, left.length]).toEqual([18, 2, 0]);
});

test.each([
  ['all', true, true, 'ok'],
  ['withoutAccess', true, true, 'expired'],
  ['withoutSubscription', true, false, 'expired'],
  ['none', false, true, 'ok', true],
  ['suspended', true, true, 'expired', true],
  ['suspendedWithoutSubscription', true, false, 'ok', true],
] as const)('[UX-20, FR-32] the page offers %s', (name, isInitialized, isActive, access, isSuspended?) => {
  expect(allowedFor({ isInitialized, access }, isActive, isSuspended)).toEqual(ALLOWED[name]);
});

test.each([
  ['the session has ended', refusal(401)],
  ['no subscription', refusal(403)],
  ['too many requests', refusal(429)],
  ['Meta rejects the token', refusal(502, 'TOKEN_EXPIRED')],
  ['no response', new TypeError('Failed to fetch')],
])('a failure that applies to all ends the change: %s', async (_, error) => {
  const outcome = await run(many(20), { 7: error });
  expect([outcome.done.length, outcome.failed.length, outcome.left.length]).toEqual([7, 1, 12]);
  expect(nextSteps('on', outcome, ALLOWED.none, false).map(({ text }) => text)).toEqual(['Try again (13)']);
});

test('[FR-06, FR-07] an ad account where the role does not allow changes ends no other one', async () => {
  const { done, failed, left } = await run(many(7), { 0: refusal(403, 'ROLE_CANNOT_PAUSE') });
  expect([done.length, failed.length, left.length]).toEqual([6, 1, 0]);
});

test.each([
  ['goes on after', refusal(429), '2'],
  ['goes on after', refusal(503), '2'],
  ['goes on after', new TypeError('Failed to fetch'), '2'],
  ['ends as it was last seen with', refusal(403), '1'],
  ['ends as it was last seen with', refusal(404), '1'],
])('[ENG-26] a change that is followed %s a failed read: %s', async (_, error, seen) => {
  vi.useFakeTimers();
  const change = {
    action: 'on',
    startedAt: '1970-01-01T00:00:00.000Z',
    endedAt: null,
    total: 2,
    pending: 2,
  } as const;
  const ended = { ...change, id: '2', endedAt: change.startedAt, pending: 0, done: ['0', '1'], failed: [] };
  const reads = [
    Promise.resolve({ ...change, id: '1', done: ['0'], failed: [] }),
    Promise.reject(error),
    Promise.resolve(ended),
  ];
  for (const read of reads) read.catch(() => undefined);
  const counts: number[] = [];
  const last = followChange(
    { ...change, id: '0', done: [], failed: [] },
    (count) => counts.push(count),
    async () => reads.shift() ?? ended,
  );
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect((await last).id).toBe(seen);
  expect(counts.slice(0, 2)).toEqual([0, 1]);
});

test('[ENG-26, UX-20] the outcome of one request names what is done, refused and not confirmed yet', () => {
  const failed = [{ campaignId: '1', code: 'CAMPAIGN_BUSY', message: 'SmartPause is working on it.' }];
  const outcome = outcomeOf('resume_now', many(3), { done: ['0'], failed });
  expect(outcomeTitle('resume_now', outcome)).toBe('Resumed 1 of 3 campaigns.');
  expect(outcomeText('resume_now', outcome)).toBe(
    '1 not confirmed by Meta yet. 1 failed: 1. SmartPause is working on it. SmartPause won’t pause it again in this outage, and stays on for the next one.',
  );
  expect([...outcome.changed]).toEqual([
    ['0', { status: 'ACTIVE', held: false }],
    ['2', { pendingStatus: 'ACTIVE' }],
  ]);
});

test('[UX-03] turning off and resuming counts both apart, and says that all is resumed only if it is', async () => {
  const failed = [
    { campaignId: '1', code: 'CAMPAIGN_BUSY', message: 'SmartPause is working on it.' },
    { campaignId: '3', code: 'CAMPAIGN_NOT_FOUND', message: 'Not found.' },
  ];
  const outcome = outcomeOf('off_and_resume', many(4), { done: ['0'], failed });
  expect(outcomeTitle('off_and_resume', outcome)).toBe('SmartPause turned off for 3 of 4 campaigns.');
  expect(outcomeText('off_and_resume', outcome)).toBe(
    '1 not confirmed by Meta yet. 2 not resumed: 1 and 3. SmartPause is working on it. Not found.',
  );
  expect(outcome.changed.get('1')).toEqual({ smartPauseSetting: 'OFF' });
  const singly = await sendSingly(
    'off_and_resume',
    [target('Hats', { held: true })],
    () => undefined,
    (action) =>
      action === 'resume' ? Promise.reject(refusal(409)) : Promise.resolve({ smartPauseSetting: 'OFF' }),
  );
  expect(outcomeTitle('off_and_resume', singly)).toBe('SmartPause turned off for 1 campaign.');
  expect(singly.changed.get('Hats')).toEqual({ smartPauseSetting: 'OFF' });
});

test('[DASH-11] SmartPause on or off can be undone, unless a question came before', () => {
  const targets = [target('Hats'), target('legacy', { isLegacyAdvantage: true })];
  const undo = (action: 'on' | 'off', wasAsked = false) => {
    const outcome = outcomeOf(action, targets, { done: ['Hats', 'legacy'], failed: [] });
    return nextSteps(action, outcome, ALLOWED.all, wasAsked).map((step) => [
      step.text,
      step.action,
      namesOf(step.targets),
    ]);
  };
  expect(undo('off')).toEqual([['Undo', 'on', 'Hats']]);
  expect(undo('on')).toEqual([['Undo', 'off', 'Hats and legacy']]);
  expect(undo('on', true)).toEqual([]);
});

test('campaigns of one name in several ad accounts are named with their ids', () => {
  const twin = { account: kids, campaign: campaign('2', { name: 'Hats' }) };
  expect(namesOf([target('Hats'), twin, target('Shoes')])).toBe('Hats (Hats), Hats (2) and Shoes');
});

test('the outcome names the campaigns that failed, and each reason once', async () => {
  const all = await run(many(2));
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
  const held = await run([target('Hats', { held: true })]);
  expect(outcomeText('off', held)).toBe('Hats stays paused until you resume it.');
  expect(isToldByRow('off', held)).toBe(false);
  const running = await run([target('Hats')]);
  expect((['on', 'off', 'pause'] as const).map((action) => isToldByRow(action, running))).toEqual([
    true,
    true,
    false,
  ]);
  expect(outcomeText('off_and_resume', held)).toBe('What SmartPause had paused is resumed.');
});

test('[ENG-16] a change that Meta has not confirmed is not counted as done', async () => {
  const outcome = await run([target('late'), target('Hats')]);
  expect(outcomeTitle('pause', outcome)).toBe('Paused 1 of 2 campaigns.');
  expect(outcomeText('pause', outcome)).toBe('Hats. 1 not confirmed by Meta yet.');
  expect(isToldByRow('pause', outcome)).toBe(true);
});
