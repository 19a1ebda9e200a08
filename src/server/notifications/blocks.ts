import type { Level } from '#core/smartpause/level.ts';

/** The parts that mails are made of. HTML and plain text are drawn from the same parts. */
export type Block =
  | { kind: 'text'; text: string }
  /** The platform's status, drawn as a word, a shape and a colour. */
  | { kind: 'status'; level: Level; text: string }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'list'; title: string; items: readonly ListItem[] }
  | { kind: 'button'; label: string; address: string };

export interface ListItem {
  text: string;
  detail?: string;
}

/** A mail before it is drawn. */
export interface Mail {
  subject: string;
  /** What a mail program shows beside the subject. */
  preview: string;
  title: string;
  /** Why somebody gets this mail; the usual reason unless given. */
  why?: string;
  blocks: readonly Block[];
}

/** Longer lists are cut, and say by how much: a mail is no report. */
export const LIST_MAX = 50;
