import PostalMime from 'postal-mime';
import type { Address, Header } from 'postal-mime';

export interface Mail {
  n: number;
  /** When it was received. */
  at: string;
  /** The envelope addresses, from the SMTP commands. */
  from: string;
  to: string[];
  /** The From header as an email client shows it. */
  author: string;
  subject: string;
  messageId: string | null;
  /** By lower-case name; repeated headers are joined by a line feed. */
  headers: Record<string, string>;
  text: string | null;
  html: string | null;
  /** The login, if there was one. */
  user: string | null;
  /** Bytes received; the source is kept up to SOURCE_BYTES. */
  size: number;
}

export interface KeptMail {
  mail: Mail;
  source: Buffer;
}

export interface Delivery {
  from: string;
  to: string[];
  user: string | null;
  size: number;
  source: Buffer;
}

export const SOURCE_BYTES = 1024 * 1024;
const KEPT = 1000;

/** The received messages, oldest first; a message delivered twice is kept twice. */
export class Mails {
  #kept: KeptMail[] = [];
  #count = 0;

  all(): Mail[] {
    return this.#kept.map(({ mail }) => mail);
  }

  find(n: number): KeptMail | undefined {
    return this.#kept.find(({ mail }) => mail.n === n);
  }

  /** Rejects a message that cannot be parsed. */
  async add({ from, to, user, size, source }: Delivery): Promise<Mail> {
    const parsed = await PostalMime.parse(source);
    this.#count += 1;
    const mail: Mail = {
      n: this.#count,
      at: new Date().toISOString(),
      from,
      to,
      author: shownAddress(parsed.from) || from,
      subject: parsed.subject ?? '',
      messageId: parsed.messageId ?? null,
      headers: byName(parsed.headers),
      text: parsed.text ?? null,
      html: parsed.html ?? null,
      user,
      size,
    };
    this.#kept.push({ mail, source });
    if (this.#kept.length > KEPT) this.#kept.shift();
    return mail;
  }

  clear(): void {
    this.#kept = [];
  }

  /** Empties the mailbox; numbering restarts at 1. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }
}

function shownAddress(address: Address | undefined): string {
  if (address?.address === undefined) return address?.name ?? '';
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}

function byName(headers: readonly Header[]): Record<string, string> {
  const values = new Map<string, string>();
  for (const { key, value } of headers) {
    const before = values.get(key);
    values.set(key, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(values);
}
