import type { ActivityEvent } from '#core/events.ts';
import { paused, refusedAddress } from '../../../../test/support/email-facts.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Facts } from '../facts.ts';

const unconfirmedAddress = { ...refusedAddress, refusals: {} };
const confirmedAddress = { ...unconfirmedAddress, confirmedEmail: refusedAddress.email };

const gone410: ActivityEvent = {
  event: 'destination_disabled',
  facts: { kind: 'slack', destination: 'Ops', reason: 'No longer there.' },
};

/** Beside each state of the user's own address. */
export const GONE_CHANNELS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  [
    '[CHAN-02] a destination whose receiver is gone',
    'destination_disabled',
    { user: confirmedAddress, acts: [{ ...paused, happened: gone410 }] },
    [
      'Turned off: notifications to Slack “Ops”',
      'Slack “Ops”: No longer there.',
      'You still get every email.',
    ],
  ],
  [
    '[CHAN-01] a destination whose receiver is gone, beside an own address that refuses emails',
    'destination_disabled',
    { user: refusedAddress, acts: [{ ...paused, happened: gone410 }] },
    ['Your own mail server refuses our emails, too: check your address there.'],
    ['You still get every email.'],
  ],
  [
    '[CHAN-01] a destination whose receiver is gone, beside an own address that is not confirmed',
    'destination_disabled',
    { user: unconfirmedAddress, acts: [{ ...paused, happened: gone410 }] },
    ['Your own address isn’t confirmed yet: confirm it there.'],
    ['You still get every email'],
  ],
  [
    '[CHAN-01] a destination whose receiver is gone, beside a confirmed address that another one replaces',
    'destination_disabled',
    {
      user: { ...refusedAddress, confirmedEmail: 'n@lind.example' },
      acts: [{ ...paused, happened: gone410 }],
    },
    ['You still get every email at n@lind.example.'],
    ['refuses our emails'],
  ],
  [
    '[CHAN-01] a destination whose receiver is gone, without an own address',
    'destination_disabled',
    { acts: [{ ...paused, happened: gone410 }] },
    ['You have no email address either: add one there.'],
    ['You still get every email'],
  ],
];
