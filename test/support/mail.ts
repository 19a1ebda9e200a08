import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { TestProduct } from './product.ts';

/** A little more than a mail waits for others of its kind. */
const SETTLED_MS = 11_000;

/** The mail with that subject; time is put forward until it is due. */
export async function nextMailTo(
  { product, simulators }: { product: TestProduct; simulators: Simulators },
  address: string,
  subject: RegExp,
): Promise<Mail> {
  return waitFor(`a mail to ${address}: ${String(subject)}`, async () => {
    const mails = await simulators.mailbox.messagesTo(address);
    const found = mails.findLast((mail) => subject.test(mail.subject));
    if (found === undefined) product.clock.advance(SETTLED_MS);
    return found;
  });
}

/** Waits until nothing is left to be sent, and answers the subjects of all that was sent to the address. */
export async function allMailTo(
  { product, simulators }: { product: TestProduct; simulators: Simulators },
  address: string,
): Promise<string[]> {
  await waitFor('an empty outbox', async () => {
    const due = await product.app.db
      .selectFrom('mail')
      .select('id')
      .where('due_at', 'is not', null)
      .execute();
    if (due.length > 0) product.clock.advance(SETTLED_MS);
    return due.length === 0;
  });
  return (await simulators.mailbox.messagesTo(address)).map((mail) => mail.subject);
}
