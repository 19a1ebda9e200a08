import { describe, expect, test } from 'vitest';
import {
  LINK_VALID_MS,
  addressesOf,
  beginningOf,
  isSameAddress,
  linkStateOf,
  maySendLink,
  needsLink,
  unreachedOf,
} from './confirmation.ts';
import { minutes } from './time.ts';

const NOW = Date.parse('2026-01-09T02:10:00Z');
const NORA = 'nora@lind.example';
const NOTHING = {
  ...{ email: NORA, confirmedEmail: null, refusals: {} },
  ...{ askedEmail: null, askedAt: null },
};
const asked = (ago: number) => ({ askedEmail: NORA, askedAt: NOW - ago });
const FORMER = 'n@lind.example';
const REFUSED = { refusals: { [NORA]: NOW } };

describe('[CHAN-05] why emails may not arrive, and whether saved settings send a link', () => {
  test.each<[string, Partial<typeof NOTHING> | object, ReturnType<typeof unreachedOf>, boolean]>([
    ['no address', { email: null }, null, false],
    ['never asked', {}, { why: 'unconfirmed', at: null }, true],
    [
      'asked for another address',
      { askedEmail: 'n@lind.example', askedAt: NOW },
      { why: 'unconfirmed', at: null },
      true,
    ],
    ['asked', asked(1), { why: 'unconfirmed', at: NOW - 1 }, false],
    ['asked long ago', asked(LINK_VALID_MS), { why: 'unconfirmed', at: NOW - LINK_VALID_MS }, true],
    ['confirmed', { confirmedEmail: NORA }, null, false],
    ['confirmed in another case', { confirmedEmail: 'Nora@Lind.example' }, null, false],
    [
      'refused in another case',
      { confirmedEmail: NORA, refusals: { 'Nora@Lind.example': NOW } },
      { why: 'refused', at: NOW },
      false,
    ],
    [
      'in place of a confirmed one that was refused in another case',
      { confirmedEmail: FORMER, refusals: { 'N@lind.example': NOW } },
      { why: 'unconfirmed', at: null },
      true,
    ],
    [
      'another address confirmed',
      { confirmedEmail: FORMER },
      { why: 'unconfirmed', at: null, former: FORMER },
      true,
    ],
    [
      'refused in place of a confirmed one',
      { confirmedEmail: FORMER, ...REFUSED },
      { why: 'refused', at: NOW, former: FORMER },
      false,
    ],
    [
      'in place of a confirmed one that was refused',
      { confirmedEmail: FORMER, refusals: { [FORMER]: NOW } },
      { why: 'unconfirmed', at: null },
      true,
    ],
    [
      'refused in place of a confirmed one that was refused before',
      { confirmedEmail: FORMER, refusals: { [FORMER]: NOW - 1, [NORA]: NOW } },
      { why: 'refused', at: NOW },
      false,
    ],
    ['confirmed and refused', { confirmedEmail: NORA, ...REFUSED }, { why: 'refused', at: NOW }, false],
    ['another address refused', { refusals: { [FORMER]: NOW }, confirmedEmail: NORA }, null, false],
  ])('%s', (_title, given, unreached, needs) => {
    const user = { ...NOTHING, ...given };
    expect(unreachedOf(user)).toEqual(unreached);
    expect(needsLink(user, NOW)).toBe(needs);
    // Also where it is refused: it may be taken again.
    const isReplaced = isSameAddress(user.confirmedEmail, FORMER);
    expect(addressesOf(user)).toEqual([user.email, isReplaced ? FORMER : null].filter((one) => one !== null));
  });
});

test.each<[number[], boolean]>([
  [[], true],
  [[minutes(1)], true],
  [[minutes(60), minutes(1) - 1], false],
  [Array<number>(19).fill(minutes(5)), true],
  [Array<number>(20).fill(minutes(5)), false],
])('[CHAN-05] after links sent %j ms ago another one may be sent there: %s', (ago, may) => {
  const sent = ago.map((ms) => ({ to: NORA, at: NOW - ms }));
  expect(maySendLink(NORA, sent, NOW)).toBe(may);
  for (const other of ['7', null]) expect(maySendLink(other, sent, NOW)).toBe(ago.length < 20);
});

test.each([
  [null, 'unknown'],
  [{ expiresAt: NOW + 1, isForAddress: true, isConfirmed: false }, 'open'],
  [{ expiresAt: NOW, isForAddress: true, isConfirmed: false }, 'expired'],
  [{ expiresAt: NOW, isForAddress: true, isConfirmed: true }, 'used'],
  [{ expiresAt: NOW + 1, isForAddress: false, isConfirmed: true }, 'changed'],
])('[CHAN-05] the link %j is %s', (link, state) => {
  expect(linkStateOf(link, NOW)).toBe(state);
});

test.each([
  ['daniel@gmial.com', 'dan…'],
  ['jo@lind.example', 'j…'],
])('[CHAN-05] a visitor sees only the beginning of %s', (address, beginning) => {
  expect(beginningOf(address)).toBe(beginning);
});
