import { expect, test } from 'vitest';
import type { Given } from './banner-list.fixture.ts';
import { UP, at, told } from './banner-list.fixture.ts';

test.each<[string, Given, string | null]>([
  [
    'asked for long ago',
    { user: { unreached: { why: 'unconfirmed', at: at(3 * 24 * 60) } } },
    'We can’t reach you yet | The link that we emailed to n@lind.example has expired. [Send again]',
  ],
  [
    'asked for',
    { user: { unreached: { why: 'unconfirmed', at: at(60) } } },
    'We can’t reach you yet | Confirm n@lind.example: open the link in our email, valid for 3 days. [Send again]',
  ],
  [
    'never asked for',
    { user: { unreached: { why: 'unconfirmed', at: null } } },
    'We can’t reach you yet | Confirm n@lind.example with a link, valid for 3 days. [Send the link]',
  ],
  [
    'refused',
    { user: { unreached: { why: 'refused', at: at(1) } } },
    'Your mail server refused our email to n@lind.example | Check the address. We go on sending every email to it. [Send again]',
  ],
  [
    'in place of a confirmed one',
    { user: { unreached: { why: 'unconfirmed', at: at(60), former: 'old@lind.example' } } },
    'Waiting for confirmation: n@lind.example | Open the link in our email, valid for 3 days. Emails still go to old@lind.example, too. [Send again]',
  ],
  [
    'in place of a confirmed one, asked for long ago',
    { user: { unreached: { why: 'unconfirmed', at: at(3 * 24 * 60), former: 'old@lind.example' } } },
    'Waiting for confirmation: n@lind.example | The link in our email has expired. Emails still go to old@lind.example, too. [Send again]',
  ],
  [
    'in place of a confirmed one, never asked for',
    { user: { unreached: { why: 'unconfirmed', at: null, former: 'old@lind.example' } } },
    'Waiting for confirmation: n@lind.example | No link was sent yet. Emails still go to old@lind.example, too. [Send the link]',
  ],
  [
    'refused in place of a confirmed one',
    { user: { unreached: { why: 'refused', at: at(1), former: 'old@lind.example' } } },
    'Your mail server refused our email to n@lind.example | Check the address. Emails still go to old@lind.example, too. [Send again]',
  ],
  ['before the setup', { isSetUp: false, user: { unreached: { why: 'unconfirmed', at: null } } }, null],
  ['confirmed, or a server of the specification', {}, null],
])('[CHAN-05] the banner of an address: %s', (_title, { user, ...given }, words) => {
  const banners = told({ ...given, status: UP, user: { email: 'n@lind.example', ...user } });
  const own = banners.filter((banner) => banner.startsWith('unreached'));
  expect(own).toEqual(words === null ? [] : [`unreached orange: ${words}`]);
});
