import type { Level } from '#core/smartpause/level.ts';

/** The parts of a notification. HTML and plain text are rendered from the same parts. */
export type Block =
  /** A paragraph. */
  | string
  /** The platform's status as a word, a shape and a colour. */
  | { kind: 'status'; level: Level; text: string }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'list'; title: string; items: readonly ListItem[] }
  | { kind: 'button'; label: string; address: string };

export interface ListItem {
  text: string;
  detail?: string;
}

/** A notification before rendering. */
export interface Notification {
  subject: string;
  /** The text that an email client shows beside the subject. */
  preview: string;
  title: string;
  /** Why the user gets this notification; a default reason unless given. */
  why?: string;
  blocks: readonly Block[];
}

/** Longer lists are cut, and the number of omitted items is named. */
export const LIST_MAX = 50;
