import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { TestProduct } from './product.ts';

/** A little longer than a notification waits for others to be combined with it. */
const SETTLED_MS = 11_000;

/**
 * Advances time unless a pass is under way: a write that is not sent within 5 s of its intent is never sent, so
 * that a clock that jumps in each pass would prevent it for ever.
 */
export async function advanceBetweenPasses({ app, clock }: TestProduct, ms: number): Promise<void> {
  const leased = app.db.selectFrom('work_item').select('account_id').where('lease_until', 'is not', null);
  if ((await leased.executeTakeFirst()) === undefined) clock.advance(ms);
}

/** Advances time until the notification with that subject arrives. */
export async function nextMailTo(
  { product, simulators }: { product: TestProduct; simulators: Simulators },
  address: string,
  subject: RegExp,
): Promise<Mail> {
  return waitFor(`a notification to ${address}: ${String(subject)}`, async () => {
    const notifications = await simulators.mailbox.messagesTo(address);
    const found = notifications.findLast((notification) => subject.test(notification.subject));
    if (found === undefined) await advanceBetweenPasses(product, SETTLED_MS);
    return found;
  });
}

/** Waits until the outbox is empty. @returns the subjects of all emails to the address */
export async function allMailTo(
  { product, simulators }: { product: TestProduct; simulators: Simulators },
  address: string,
): Promise<string[]> {
  await waitFor('an empty outbox', async () => {
    const due = await product.app.db
      .selectFrom('notification')
      .select('id')
      .where('due_at', 'is not', null)
      .execute();
    if (due.length > 0) await advanceBetweenPasses(product, SETTLED_MS);
    return due.length === 0;
  });
  return (await simulators.mailbox.messagesTo(address)).map((notification) => notification.subject);
}
