import { describe, expect, test } from 'vitest';
import {
  DUE,
  NOW,
  decide,
  expired,
  ourPause,
  resuming,
  short,
  theirPause,
  theirResume,
  unanswered,
} from '../../../test/support/decision.ts';

/** A late copy of a resume undid an external pause. */
const resumed = { ...theirResume, isOurs: true };
const log = [
  { ...resumed, at: NOW - 10 },
  { ...theirPause, at: NOW - 20 },
  { ...resumed, at: NOW - 30 },
];
const askedAt = (at: number) => ({ ...resuming, resumeAsked: { by: 'a', at } });

describe('[ENG-15, UX-20] a late copy of ‘Resume now’ undid an external pause', () => {
  test.each([
    ['after which it was asked for: it runs', NOW - 15, 'released, resumed_now'],
    ['before which it was asked for: that is restored', NOW - 25, 'released, paused_outside, sends PAUSED'],
  ])('%s', (_title, at, expected) => {
    expect(short({ hold: askedAt(at), holder: DUE, write: expired('ACTIVE'), log })).toBe(expected);
  });

  test('when its hold had ended: it runs', () => {
    const line = { hold: askedAt(NOW - 15), holder: DUE, write: unanswered('ACTIVE') };
    const { hold, write } = decide({ ...line, log: [resumed, ourPause] });
    expect(hold?.releaseReason).toBe('resumed_now');
    expect(write?.unansweredUntil).not.toBeNull();
    const settled = { ...expired('ACTIVE'), ...write, unansweredUntil: NOW };
    expect(decide({ write: settled, log })).toMatchObject({ send: null, write: { unansweredUntil: null } });
  });
});
