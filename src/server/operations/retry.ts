import type { Retried, RetryBody } from '#contract/admin.ts';
import type { RetriedPart } from '#contract/failing.ts';
import { counted } from '#core/words.ts';
import { inTransaction } from '../db/database.ts';
import { recordActivities } from '../db/journal.ts';
import type { Person } from '../db/people.ts';
import type { RetriedRows } from '../db/retries.ts';
import { makeStuckDue } from '../db/retries.ts';
import type { OperationDeps } from './deps.ts';
import { canBeOf } from './stuck.ts';

const NOUNS: Record<RetriedPart, string> = {
  accounts_behind: 'ad account',
  accounts_failing: 'ad account',
  holds_in_doubt: 'ad account',
  mail_waiting: 'mail',
  mail_given_up: 'mail',
  readings_failing: 'subscription',
  leaving_failing: 'account',
};

/** An administrator has what is stuck tried again now. That nothing is stuck any more is no fault. */
export async function retry(
  deps: OperationDeps,
  person: Person,
  { part, id = null }: { part: RetryBody['part']; id?: string | null | undefined },
): Promise<Retried> {
  if (id !== null && !canBeOf(part, id)) return { count: 0, blocked: 0, blockedUntil: null };
  const now = deps.clock.now();
  const due = await inTransaction(deps.db, async (tx) => {
    const made = await makeStuckDue(tx, { part, id }, now);
    if (made.count > 0) await recordActivities(tx, [act(person, { part, id, made })], now);
    return made;
  });
  deps.wake();
  const until = due.blockedUntil;
  return { ...due, blockedUntil: until === null ? null : new Date(until).toISOString() };
}

/** Without names: whom it concerned is found by the id. */
function act(person: Person, done: { part: RetriedPart; id: string | null; made: RetriedRows }) {
  const { part, id, made } = done;
  const what = counted(made.count, NOUNS[part]);
  return {
    personId: person.id,
    actor: 'person',
    type: 'other',
    event: 'retry',
    message: `${person.name} had ${what} tried again.`,
    reason: id === null ? part : `${part} ${id}`,
  } as const;
}
