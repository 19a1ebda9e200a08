import type { Mail } from '../../simulators/mailbox/mails.ts';
import { ControlClient } from './control-client.ts';
import { waitFor } from '../programs/wait-for.ts';

/** The simulated mailbox, for tests and scripts. */
export class Mailbox extends ControlClient {
  /** Oldest first. */
  async messages(): Promise<Mail[]> {
    return (await this.ask<{ messages: Mail[] }>('GET', '/messages')).messages;
  }

  async messagesTo(address: string): Promise<Mail[]> {
    const wanted = address.toLowerCase();
    return (await this.messages()).filter(({ to }) => to.some((one) => one.toLowerCase() === wanted));
  }

  /** Waits for the newest email to the address with a matching subject. */
  waitFor(address: string, subjectPattern: RegExp, timeoutMs?: number): Promise<Mail> {
    return waitFor(
      `a mail to ${address} with the subject ${String(subjectPattern)}`,
      async () => (await this.messagesTo(address)).findLast(({ subject }) => subjectPattern.test(subject)),
      timeoutMs,
    );
  }
}
