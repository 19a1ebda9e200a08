import { expect, test } from 'vitest';
import type { AdAccount, Campaign, UserStatus } from '#contract/shapes.ts';
import { CallError } from '../../../lib/api-client.ts';
import type { Action, Target } from './actions.ts';
import { changes, choiceOfAll, isLocked } from './actions.ts';
import type { Situation } from './questions.ts';
import { questionBefore, questionBeforeAll, questionBeforeResume } from './questions.ts';
import { isToldByRow, outcomeText, outcomeTitle, runInChunks } from './outcome.ts';

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

test('[DASH-12, DASH-13] an action changes the campaigns that it may change', () => {
  const all = [
    campaign('running'),
    campaign('paused', { status: 'PAUSED' }),
    campaign('protected', { smartPauseSetting: 'ON' }),
    campaign('held', { status: 'PAUSED', smartPauseSetting: 'ON', held: true }),
    campaign('disabled', { smartPauseSetting: 'DEACTIVATED' }),
    campaign('legacy', { isLegacyAdvantage: true }),
    campaign('legacy and on', { isLegacyAdvantage: true, smartPauseSetting: 'ON' }),
    campaign('archived', { status: 'ARCHIVED' }),
    campaign('ended', { undelivered: { why: 'ended', at: '2026-03-16T23:30:00.000Z' } }),
  ];
  const names = (one: typeof changes, action: Action) =>
    all.filter((each) => one(each, action)).map(({ name }) => name);
  expect(names(changes, 'on')).toEqual(['running', 'paused', 'disabled']);
  expect(names(changes, 'off')).toEqual(['protected', 'held', 'legacy and on']);
  expect(names(changes, 'pause')).toEqual(['running', 'disabled']);
  expect(names(changes, 'resume')).toEqual(['paused']);
  expect(names(isLocked, 'pause')).toEqual(['protected']);
  expect(names(isLocked, 'resume')).toEqual(['held']);
});

test('[UX-03] a change is asked about where it has consequences now', () => {
  const two = [target('Hats'), target('Shoes', { status: 'PAUSED' })];
  expect(questionBefore('on', two, QUIET)).toBeNull();
  expect(questionBefore('off', two, OUTAGE)).toBeNull();
  expect(questionBefore('resume', two, QUIET)).toBeNull();
  expect(questionBefore('on', [target('Shoes', { status: 'PAUSED' })], OUTAGE)).toBeNull();

  expect(questionBefore('on', [target('Hats')], OUTAGE)).toEqual({
    title: 'Turn on and pause now?',
    sentences: [
      'Meta has a high disruption, so “Hats” is paused immediately.',
      'It resumes 5 minutes after the outage ends.',
    ],
    confirm: 'Turn on and pause',
  });
  expect(questionBefore('on', two, OUTAGE)).toMatchObject({
    title: 'Turn on SmartPause for 2 campaigns?',
    sentences: ['Meta has a high disruption, so 1 of them is paused immediately.', expect.any(String)],
    confirm: 'Turn on and pause 1',
  });
  expect(questionBefore('pause', two, QUIET)).toMatchObject({
    title: 'Pause 2 campaigns?',
    sentences: ['They stay paused until you resume them.'],
  });
  expect(questionBefore('resume', two, OUTAGE)).toMatchObject({ confirm: 'Resume 2 campaigns' });
});

test('[UX-03] turning SmartPause off for paused campaigns offers to resume them, unless that is delayed', () => {
  const one = [target('Hats', { held: true })];
  expect(questionBefore('off', one, OUTAGE)).toEqual({
    title: 'Turn off SmartPause for “Hats”?',
    sentences: ['SmartPause paused this campaign.', 'If you keep it paused, SmartPause won’t resume it.'],
    confirm: 'Keep paused',
    resume: 'Resume now',
  });
  expect(questionBefore('off', [...one, target('Shoes')], OUTAGE)).toEqual({
    title: 'Turn off SmartPause for 2 campaigns?',
    sentences: ['1 is paused by SmartPause.', 'If you keep it paused, SmartPause won’t resume it.'],
    confirm: 'Keep 1 paused',
    resume: 'Resume 1 now',
  });
  const heldAccounts = [{ ...account, count: 1, delayedBy: 'no_answer' as const }];
  const delayed = questionBefore('off', one, { ...OUTAGE, user: { ...user, heldAccounts } });
  expect(delayed?.sentences).toContain('Meta isn’t responding for Lind Outdoor: we keep trying.');
  expect(delayed?.resume).toBeUndefined();
  const heldByOther = { status: 'PAUSED', smartPauseSetting: 'ON', heldByOther: true } as const;
  expect(questionBefore('off', [target('Hats', heldByOther)], OUTAGE)).toBeNull();
});

test('[UX-05, UX-09] a change of several ad accounts names them, and what is left out', () => {
  const targets = [target('Hats'), { account: kids, campaign: campaign('Toys') }];
  expect(questionBeforeAll(targets, QUIET, { unread: [{ name: 'Lind Yachts' }] })).toEqual({
    title: 'Turn on SmartPause for 2 campaigns?',
    sentences: [
      '2 campaigns in 2 ad accounts: Hats and Toys.',
      'Not included: Lind Yachts couldn’t be loaded.',
    ],
    confirm: 'Turn on for 2 campaigns',
  });
  expect(questionBeforeAll(targets, OUTAGE, {}).confirm).toBe('Turn on and pause 2');
  const resume = questionBeforeResume(targets, [{ name: 'Lind Yachts' }], [{ name: 'Lind Boats' }]);
  expect(resume.title).toBe('Resume 2 campaigns now?');
  expect(resume.sentences.join(' ')).toMatch(
    /^They are in Lind Outdoor and Lind Kids\. SmartPause is turned off/,
  );
  expect(resume.sentences.slice(1)).toEqual([
    'Skipped, because resuming is delayed there: Lind Yachts.',
    'Not included: Lind Boats couldn’t be loaded.',
  ]);
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
  expect(questionBeforeAll(targets, QUIET, { skipped }).sentences.at(-1)).toBe(
    '2 campaigns are skipped: Meta doesn’t let you pause campaigns in Lind role and Lind no_access.',
  );
});

const refusal = (status: number, code = 'CAMPAIGN_BUSY') =>
  new CallError('no', { status, code, reason: `${code}!` });

/** @param failing the error of a campaign; the others succeed */
async function run(targets: readonly Target[], failing: Record<string, unknown>, size = 6) {
  const sent: string[] = [];
  let underWay = 0;
  let most = 0;
  const outcome = await runInChunks(
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
    { size, onProgress: () => undefined },
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

test('[UX-05] after a failed resume the other campaigns of the account keep SmartPause on', async () => {
  const resumes = [
    ...many(3).map((one) => ({ ...one, resumes: true })),
    { account: kids, campaign: campaign('Toys'), resumes: true },
  ];
  const outcome = await run(resumes, { 1: refusal(502, 'CAMPAIGN_ACTION_FAILED') }, 1);
  expect(outcome.sent).toEqual(['0', '1', 'Toys']);
  expect(outcomeTitle('off', outcome)).toBe('Resumed 2 of 4 campaigns.');
  expect(outcomeText('off', outcome)).toBe(
    '1 failed: 1. CAMPAIGN_ACTION_FAILED! 1 not tried. Check the list: with SmartPause off, a campaign stays paused until you resume it.',
  );
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
