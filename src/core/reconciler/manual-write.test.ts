import { describe, expect, test } from 'vitest';
import type { Line } from '../../../test/support/decision.ts';
import {
  NOW,
  HOLD,
  pausing,
  unanswered,
  expired,
  refused,
  ourPause,
  short,
} from '../../../test/support/decision.ts';
import type { CampaignWrite } from './hold.ts';
import { STALE_READ_MS, WISH_MS } from './hold.ts';
import { withWish } from './manual-write.ts';

describe('[ENG-16] a manual pause or resume', () => {
  const wish = { userId: 'a', status: 'ACTIVE', requestedAt: NOW } as const;
  const manual: CampaignWrite = { ...expired('ACTIVE'), origin: 'manual', requestedAt: NOW - 60_000 };

  test.each<[string, Line, string]>([
    ['is sent', { write: withWish(null, wish), actual: 'PAUSED' }, 'manual, sends ACTIVE'],
    ['is not sent without a read', { write: withWish(null, wish), actual: null }, 'manual'],
    ['[ENG-15] waits for an unanswered opposite', { write: withWish(unanswered('PAUSED'), wish) }, 'hold'],
    [
      'follows an unanswered write of its own direction, also an old one',
      { write: withWish({ ...unanswered('ACTIVE'), firstSentAt: NOW - STALE_READ_MS }, wish) },
      'manual, sends ACTIVE',
    ],
    [
      'is refused with SmartPause on',
      { write: withWish(null, wish), given: { isOn: () => true } },
      'manual failed: smartpause_active',
    ],
    [
      '[FR-29] is sent with SmartPause on, once our own resume was refused for good',
      {
        write: withWish({ ...refused('ACTIVE', 2), state: 'cancelled' }, wish),
        actual: 'PAUSED',
        given: { isOn: () => true, isNotResumed: () => true },
      },
      'manual, sends ACTIVE',
    ],
    [
      'of a campaign that is out of reach fails, and leaves a write that is still to be sent',
      { write: withWish({ ...manual, origin: 'restore' }, wish), actual: 'AWAY' },
      'manual failed: refused, restore',
    ],
    [
      'fails without access',
      { write: withWish(null, wish), given: { sendFrom: () => null } },
      'manual failed: token',
    ],
    [
      '[FR-02] fails while the account is blocked',
      { write: withWish(null, wish), given: { sendFrom: () => NOW + 1 } },
      'manual failed: blocked',
    ],
    [
      'is not begun long after the click',
      { write: withWish(unanswered('PAUSED'), { ...wish, requestedAt: NOW - WISH_MS }) },
      'manual failed: busy, hold',
    ],
    [
      'is carried out without an answer, and SmartPause turned on since',
      { write: manual, log: [{ ...ourPause, to: 'ACTIVE' }], given: { isOn: () => true } },
      'manual_done',
    ],
    ['fails if the campaign is archived', { write: manual, actual: 'ARCHIVED' }, 'manual failed: refused'],
    [
      'ends the hold of the user',
      { hold: HOLD, write: { ...manual, target: 'PAUSED' }, actual: 'PAUSED' },
      'manual_done, manual_pause',
    ],
    [
      'resumes what SmartPause held for the user',
      { hold: HOLD, write: manual, log: [{ ...ourPause, to: 'ACTIVE' }] },
      'manual_done, smartpause_off',
    ],
    [
      'resumes what SmartPause held for another user',
      { hold: { ...HOLD, userId: 'b' }, write: manual, log: [{ ...ourPause, to: 'ACTIVE' }] },
      'manual_done, deactivated, resumed_outside',
    ],
    [
      'confirms a pause that was on its way',
      { hold: pausing, write: { ...manual, target: 'PAUSED' }, actual: 'PAUSED' },
      'paused, manual_done, manual_pause',
    ],
    [
      'ends the hold of another user',
      { hold: { ...HOLD, userId: 'b' }, write: { ...manual, target: 'PAUSED' }, actual: 'PAUSED' },
      'manual_done, released, paused_by_other',
    ],
    [
      'leaves the hold if it fails',
      { hold: HOLD, write: { ...refused('PAUSED', 1), origin: 'manual' }, actual: 'PAUSED' },
      'manual failed: refused, paused',
    ],
  ])('%s', (_title, line, expected) => {
    expect(short(line)).toBe(expected);
  });
});
