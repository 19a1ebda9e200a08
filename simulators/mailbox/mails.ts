import PostalMime from 'postal-mime';

export interface Mail {
  n: number;
  /** When it was written, in milliseconds. */
  at: number;
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

const KEPT = 1000;

/** The received messages, oldest first; a message delivered twice is kept twice. */
export class Mails {
  all: Mail[] = [];
  #count = 0;

  async add({ from, to, source }: { from: string; to: string[]; source: Buffer }): Promise<void> {
    const parsed = await PostalMime.parse(source);
    const { name = '', address = from } = parsed.from ?? {};
    this.keep({
      at: Date.parse(parsed.date ?? ''),
      from,
      to,
      author: name === '' ? address : `${name} <${address}>`,
      subject: parsed.subject ?? '',
      messageId: parsed.messageId ?? null,
      headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
      text: parsed.text ?? null,
      html: parsed.html ?? null,
    });
  }

  keep(mail: Omit<Mail, 'n'>): void {
    this.all.push({ n: ++this.#count, ...mail });
    if (this.all.length > KEPT) this.all.shift();
  }

  clear(): void {
    this.all = [];
  }
}
