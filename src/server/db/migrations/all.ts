import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { INITIAL } from './0001-initial.ts';
import { DELIVERIES } from './0002-deliveries.ts';
import { DELIVERY_ANSWERS } from './0003-delivery-answers.ts';
import { CONFIRMED_ADDRESSES } from './0004-confirmed-addresses.ts';
import { DELIVERY_RETRIES } from './0005-delivery-retries.ts';
import { INCIDENTS } from './0006-incidents.ts';
import { REFUSED_RESUMES } from './0007-refused-resumes.ts';
import { CAMPAIGN_SPEND } from './0008-campaign-spend.ts';
import { OUTAGE_ESTIMATES } from './0009-outage-estimates.ts';
import { CHANNEL_TESTS } from './0010-channel-tests.ts';
import { ADDRESS_REFUSALS } from './0011-address-refusals.ts';
import { CHANNEL_TARGETS } from './0012-channel-targets.ts';
import { HELD_UP } from './0013-held-up.ts';
import { MONTHLY_SUMMARY } from './0014-monthly-summary.ts';
import { STATUS_FILE_TIMES } from './0015-status-file-times.ts';
import { INCIDENT_ANSWERS } from './0016-incident-answers.ts';
import { HELD_UP_TOLD } from './0017-held-up-told.ts';
import { SIGNALS } from './0018-signals.ts';
import { EARLY_WARNING } from './0019-early-warning.ts';
import { ACTING_ON_EARLY_WARNINGS } from './0020-acting-on-early-warnings.ts';
import { EARLIER_CHOICES } from './0021-earlier-choices.ts';

/** The statements of each migration, in order. A name that ends in `-needs-0005` ends the support of older versions. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  '0001-initial': INITIAL,
  '0002-deliveries': [DELIVERIES],
  '0003-delivery-answers': [DELIVERY_ANSWERS],
  '0004-confirmed-addresses': [CONFIRMED_ADDRESSES],
  '0005-delivery-retries': [DELIVERY_RETRIES],
  '0006-incidents': [INCIDENTS],
  '0007-refused-resumes': [REFUSED_RESUMES],
  '0008-campaign-spend': [CAMPAIGN_SPEND],
  '0009-outage-estimates': [OUTAGE_ESTIMATES],
  '0010-channel-tests': [CHANNEL_TESTS],
  '0011-address-refusals': [ADDRESS_REFUSALS],
  '0012-channel-targets': [CHANNEL_TARGETS],
  '0013-held-up': HELD_UP,
  '0014-monthly-summary': [MONTHLY_SUMMARY],
  '0015-status-file-times': [STATUS_FILE_TIMES],
  '0016-incident-answers': [INCIDENT_ANSWERS],
  '0017-held-up-told': [HELD_UP_TOLD],
  '0018-signals': SIGNALS,
  '0019-early-warning': EARLY_WARNING,
  '0020-acting-on-early-warnings': ACTING_ON_EARLY_WARNINGS,
  '0021-earlier-choices': [EARLIER_CHOICES],
};

/** Kysely compares names only: with a fingerprint of its text in its name, an edited migration is another one. */
const nameOf = (name: string, statements: readonly string[]): string =>
  `${name}-${createHash('sha256').update(statements.join()).digest('hex').slice(0, 8)}`;

export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries(STATEMENTS).map(([name, statements]) => [
    nameOf(name, statements),
    {
      async up(db) {
        for (const statement of statements) await sql.raw(statement).execute(db);
      },
    } satisfies Migration,
  ]),
);
