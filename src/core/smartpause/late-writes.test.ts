import { describe, expect, test } from 'vitest';
import { LATE_SIGHT_MS, LATE_WRITE_MS, afterStep, afterWriteDone } from './hold.ts';
import { disputable, plan } from './plan.ts';
import type { CampaignLine } from './worlds.fixture.ts';
import { START, holdOn, statusAfter, steps, world } from './worlds.fixture.ts';

const HIGH = statusAfter('UP', 'HIGH_DISRUPTION');
const OVER = statusAfter('HIGH_DISRUPTION', 'UP');
const UNKNOWN_AFTER_HIGH = statusAfter('HIGH_DISRUPTION', 'UNKNOWN');
const now = START;

function planned(status: typeof HIGH, campaigns: CampaignLine[]): string[] {
  return steps(plan(world({ status, campaigns }), now));
}

describe('a lost write that arrives late', () => {
  const LATE = now + 20_000;

  test('a campaign found ACTIVE by our own late resume is paused again, and nobody’s hand is suspected', () => {
    const hold = { lateResumeUntil: LATE };
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', hold }])).toEqual(['pause a']);
    expect(planned(UNKNOWN_AFTER_HIGH, [{ id: 'a', live: 'ACTIVE', hold }])).toEqual([]);
  });

  test('[ENG-10] a late resume found while the status is UNKNOWN is completed when it is due', () => {
    const held = world({
      status: statusAfter('HIGH_DISRUPTION', 'UP', 'UNKNOWN'),
      owner: { resume: { mode: 'delay', delay: { value: 3, unit: 'minutes' } } },
      campaigns: [{ id: 'a', live: 'ACTIVE', hold: { lateResumeUntil: LATE + 120_000 } }],
    });
    const resumeTime = START + 120_000;
    expect(plan(held, now)).toEqual({ changes: [], lookAt: resumeTime });
    expect(steps(plan(held, resumeTime))).toEqual(['resume a']);
  });

  test('what is due by the time it arrives is resumed, and before that it is paused again', () => {
    const hold = { lateResumeUntil: LATE };
    // It may be what was seen before our last pause, so it is written once more.
    expect(planned(OVER, [{ id: 'a', live: 'ACTIVE', hold }])).toEqual(['resume a']);
    const later = world({
      status: OVER,
      owner: { resume: { mode: 'delay', delay: { value: 1, unit: 'days' } } },
      campaigns: [{ id: 'a', live: 'ACTIVE', hold }],
    });
    expect(steps(plan(later, now))).toEqual(['pause a']);
  });

  test('[ENG-11] unless the log tells that it was somebody else, which is asked before', () => {
    const found = world({
      status: HIGH,
      campaigns: [{ id: 'a', live: 'ACTIVE', hold: { lateResumeUntil: LATE } }],
    });
    expect(disputable(plan(found, now))).toHaveLength(1);
    expect(steps(plan({ ...found, changedByOthers: new Set(['a']) }, now))).toEqual(['suspect a']);
  });

  test('[ENG-11] long after that it is a hand', () => {
    const hold = { lateResumeUntil: now - LATE_SIGHT_MS };
    expect(planned(HIGH, [{ id: 'a', live: 'ACTIVE', hold }])).toEqual(['suspect a']);
  });

  test('while it may arrive, the campaign is looked at when that has passed', () => {
    const held = world({
      status: HIGH,
      campaigns: [{ id: 'a', live: 'PAUSED', hold: { lateResumeUntil: LATE } }],
    });
    expect(plan(held, now)).toEqual({ changes: [], lookAt: LATE });
  });

  test.each([
    ['deleted', true, 'DELETED'],
    ['archived', true, 'ARCHIVED'],
    ['not in doubt', false, 'DELETED'],
  ] as const)('found %s, a write in doubt is never settled, and that is said', (_title, inDoubt, live) => {
    const suspicion = { status: live, since: now - 60_000 } as const;
    const hold = { state: 'pausing', inDoubt, sentAt: now - 60_000, suspicion } as const;
    const { changes } = plan(world({ status: HIGH, campaigns: [{ id: 'a', live, hold }] }), now);
    expect(changes.map(({ step }) => step)).toMatchObject([
      { kind: 'let_go', unsettled: inDoubt ? 'pausing' : null },
    ]);
  });

  test('a resume is watched while our own pause may overtake it, and written once more when it does', () => {
    const hold = { state: 'resuming', inDoubt: true, resumedAt: now, latePauseUntil: LATE } as const;
    const running = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold }] });
    expect(plan(running, now)).toEqual({ changes: [], lookAt: LATE });
    expect(steps(plan(running, LATE))).toEqual(['confirm_resumed a']);
    expect(planned(OVER, [{ id: 'a', live: 'PAUSED', hold }])).toEqual(['resume a']);
  });

  test('the hold of a resume that is done lives on only while it can be overtaken', () => {
    const resuming = holdOn('a', { state: 'resuming', inDoubt: true, latePauseUntil: LATE });
    expect(afterWriteDone(resuming, now)).toMatchObject({ state: 'resuming', inDoubt: true, resumedAt: now });
    expect(afterWriteDone(resuming, LATE)).toBeNull();
    const twice = holdOn('a', { state: 'resuming', inDoubt: true, lateResumeUntil: LATE });
    expect(afterWriteDone(twice, now)).toMatchObject({ state: 'resuming', inDoubt: true, resumedAt: now });
    expect(afterWriteDone(twice, LATE)).toBeNull();
    expect(afterWriteDone(holdOn('a', { state: 'resuming' }), now)).toBeNull();
    expect(afterWriteDone(holdOn('a', { state: 'pausing', inDoubt: true }), now)).toMatchObject({
      state: 'paused',
      inDoubt: false,
    });
  });

  test('a pause confirmed by sight may still arrive if the campaign was PAUSED before', () => {
    const lost = holdOn('a', {
      state: 'pausing',
      inDoubt: true,
      sentAt: now - 1000,
      lateResumeUntil: now - 1,
    });
    const sight = { kind: 'confirm_paused' } as const;
    const seen = { state: 'paused', lateResumeUntil: now - 1 };
    expect(afterStep(lost, sight, now)).toMatchObject({ ...seen, latePauseUntil: null });
    const again = { ...lost, pausedAt: now - 600_000 };
    const latePauseUntil = now - 1000 + LATE_WRITE_MS;
    expect(afterStep(again, sight, now)).toMatchObject({ ...seen, latePauseUntil });
    expect(afterWriteDone(again, now)).toMatchObject({ state: 'paused', latePauseUntil: null });
  });

  test.each([1000, 59_000, 70_000])(
    'a pause written again after %i ms may arrive once more when it is seen',
    (ago) => {
      const lost = holdOn('a', { state: 'pausing', inDoubt: true, sentAt: now - ago });
      const twice = afterStep(lost, { kind: 'pause' }, now);
      if (twice === null) throw new Error('it has ended');
      const seenAt = (at: number) => afterStep(twice, { kind: 'confirm_paused' }, at);
      expect(seenAt(now + 30_000)).toMatchObject({ state: 'paused', latePauseUntil: now + LATE_WRITE_MS });
      expect(seenAt(now + 70_000)).toMatchObject({ state: 'paused', latePauseUntil: null });
    },
  );

  test.each([1000, 59_000, 70_000])(
    'a resume written again after %i ms may arrive once more when it is seen',
    (ago) => {
      const lost = holdOn('a', { state: 'resuming', inDoubt: true, sentAt: now - ago });
      const sight = { kind: 'confirm_resumed' } as const;
      expect(afterStep(lost, sight, now)).toBeNull();
      const twice = afterStep(lost, { kind: 'resume' }, now);
      if (twice === null) throw new Error('it has ended');
      const seen = afterStep(twice, sight, now + 30_000);
      expect(seen).toMatchObject({ resumedAt: now + 30_000, lateResumeUntil: now + LATE_WRITE_MS });
      expect(seen === null ? null : afterStep(seen, sight, now + 40_000)).toBeNull();
      expect(afterStep(twice, sight, now + 70_000)).toBeNull();
    },
  );

  test('a pause that is refused does not hide one before it that came late', () => {
    const hold = { state: 'pausing', inDoubt: false, sentAt: now - 1000, latePauseUntil: LATE } as const;
    expect(planned(HIGH, [{ id: 'a', live: 'PAUSED', hold }])).toEqual(['confirm_paused a']);
    const running = world({ status: OVER, campaigns: [{ id: 'a', live: 'ACTIVE', hold }] });
    expect(plan(running, now)).toEqual({ changes: [], lookAt: LATE });
  });

  test('a new write remembers until when the lost one before it may arrive', () => {
    const lostPause = holdOn('a', { state: 'pausing', inDoubt: true, sentAt: now - 1000 });
    const expected = { latePauseUntil: now - 1000 + LATE_WRITE_MS, lateResumeUntil: null };
    expect(afterStep(lostPause, { kind: 'resume' }, now)).toMatchObject(expected);
    const lostResume = { ...lostPause, state: 'resuming' } as const;
    expect(afterStep(lostResume, { kind: 'pause' }, now)).toMatchObject({
      latePauseUntil: null,
      lateResumeUntil: now - 1000 + LATE_WRITE_MS,
    });
    const answered = holdOn('a', { state: 'paused', sentAt: now - 1000 });
    expect(afterStep(answered, { kind: 'resume' }, now)).toMatchObject({
      latePauseUntil: null,
      lateResumeUntil: null,
    });
  });
});
