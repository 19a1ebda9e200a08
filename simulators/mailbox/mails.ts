import PostalMime from 'postal-mime';

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
  /** By lower-case name. */
  headers: Record<string, string>;
  text: string | null;
  html: string | null;
}

interface Delivery {
  from: string;
  to: string[];
  source: Buffer;
}

const KEPT = 1000;

/** The received messages, oldest first; a message delivered twice is kept twice. */
export class Mails {
  #kept: Mail[] = [];
  #count = 0;

  all(): Mail[] {
    return this.#kept;
  }

  find(n: number): Mail | undefined {
    return this.#kept.find((mail) => mail.n === n);
  }

  /** Rejects a message that cannot be parsed. */
  async add({ from, to, source }: Delivery): Promise<void> {
    const parsed = await PostalMime.parse(source);
    const { name = '', address = from } = parsed.from ?? {};
    this.#count += 1;
    this.#kept.push({
      n: this.#count,
      at: new Date().toISOString(),
      from,
      to,
      author: name === '' ? address : `${name} <${address}>`,
      subject: parsed.subject ?? '',
      messageId: parsed.messageId ?? null,
      headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
      text: parsed.text ?? null,
      html: parsed.html ?? null,
    });
    if (this.#kept.length > KEPT) this.#kept.shift();
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
