import type { Change } from './messages.ts';

/** What even a refused request may leave behind, and why. */
const ALLOWED_OF_REFUSED: { table: string; columns?: string[]; of?: RegExp }[] = [
  // Whoever asked has used their session, whatever came of it.
  { table: 'session', columns: ['last_used_at'] },
  // A login attempt is good once, also when it fails.
  { table: 'login_attempt', of: /^\w+ \S*\/auth\/facebook\/callback/ },
  // Meta has told, along the way, that a permission is in doubt: what it is worth is asked soon.
  { table: 'platform_token', columns: ['check_at'] },
  // Whether something is there, and theirs, is read from Meta; what was read is kept for everybody's next question.
  ...['ad_account', 'campaign', 'campaign_list'].map((table) => ({
    table,
    of: /campaigns|smartpause|ad-accounts/i,
  })),
  // The same with Stripe: readings are numbered, and one request at a time may begin a checkout.
  {
    table: 'billing_customer',
    columns: ['sync_at', 'sync_no', 'written_no', 'checkout_until'],
    of: /stripe|account\/delete/i,
  },
];

/** A login asks Meta for a token before it knows whether it will do; whether there is a portal, Stripe knows. */
const ALLOWED_ACTS = /^POST (\/v[\d.]+\/oauth\/access_token|\/v1\/billing_portal\/sessions)$/;

/** It has begun and goes on in the background, as its words say: that is told by a refusal as well. */
const GOES_ON = { status: 502, of: /^POST \S*\/api\/account\/(deauthorize|delete)/i };

/** What a request that was refused has changed all the same. */
export function faultsOfRefused(over: {
  what: string;
  status: number | null;
  changes: Change[];
  acts: string[];
}): string[] {
  if (over.status === GOES_ON.status && GOES_ON.of.test(over.what)) return [];
  const changes = over.changes.filter(
    ({ table, columns }) =>
      !ALLOWED_OF_REFUSED.some(
        (rule) =>
          rule.table === table &&
          (rule.columns === undefined || columns.split(',').every((one) => rule.columns?.includes(one))) &&
          (rule.of === undefined || rule.of.test(over.what)),
      ),
  );
  return [
    ...changes.map(
      ({ table, operation, columns }) => `refused, and yet it changed ${table}: ${operation} of ${columns}`,
    ),
    ...over.acts
      .filter((act) => !ALLOWED_ACTS.test(act))
      .map((act) => `refused, and yet it asked for ${act}`),
  ];
}
