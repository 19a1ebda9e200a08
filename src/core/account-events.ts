import * as z from 'zod/mini';
import { PLAN_TYPES } from './billing/subscription.ts';
import { kind } from './event-kind.ts';
import { PAID_STATES, PAID_WORDS } from './event-words.ts';
import { ROLES } from './roles.ts';

const NAME = { name: z.string() };
const ROLE = { ...NAME, role: z.enum(ROLES) };
const CHARGE = { ...NAME, chargeId: z.string() };
const BILLING = { kind: 'billing', topic: 'Billing' } as const;
const ACCOUNT = { topic: 'Account' };
const ofCharge = { ...BILLING, once: ({ chargeId }: { chargeId: string }) => chargeId };

/** The part of the table of events that is about subscriptions, accounts and roles. */
export const ACCOUNT_EVENTS = {
  subscription: kind(
    { ...NAME, plan: z.enum(PLAN_TYPES), status: z.enum(PAID_STATES) },
    ({ name, plan, status }) => `${name}’s ${plan} subscription ${PAID_WORDS[status]}.`,
    BILLING,
  ),
  subscription_granted: kind(
    { ...NAME, years: z.number() },
    ({ name, years }) => `${name} granted themselves a subscription of ${years} years.`,
    BILLING,
  ),
  subscription_cleared: kind(NAME, ({ name }) => `${name} cleared their own subscription.`, BILLING),
  extra_subscription: kind(
    { id: z.string() },
    'A second subscription was canceled, so that nothing is charged twice. What was paid for it is credited.',
    { ...BILLING, once: ({ id }) => id },
  ),
  payment_refunded: kind(CHARGE, ({ name }) => `A payment of ${name} was refunded in full.`, ofCharge),
  payment_disputed: kind(CHARGE, ({ name }) => `A payment of ${name} was charged back.`, ofCharge),

  delete_asked: kind({}, 'Account deletion was requested.', ACCOUNT),
  deauthorize_asked: kind({}, 'Revoking the authorization was requested.', ACCOUNT),
  deleted: kind({}, 'An account was deleted.', ACCOUNT),
  deauthorized: kind(NAME, ({ name }) => `${name} revoked the authorization.`, ACCOUNT),
  role_grant: kind(ROLE, ({ name, role }) => `${name} was given the role ${role}.`, { topic: 'Role' }),
  role_revoke: kind(ROLE, ({ name, role }) => `${name} has lost the role ${role}.`, { topic: 'Role' }),
};
