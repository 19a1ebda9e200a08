import * as z from 'zod/mini';
import type { NotificationKind } from './notifications.ts';
import type { EmailList } from './outages/end-words.ts';
import type { HistoryKind } from './outages/outage.ts';

/** Filters of the admin's list, and its badges. */
export type ActivityType = 'pause' | 'resume' | 'login' | 'setting' | 'other';

/** Everything that depends on the kind of an event. A function gets the facts. */
export interface EventKind<Facts> {
  /** Absent: 'other'. */
  type?: ActivityType | ((facts: Facts) => ActivityType);
  /** All campaigns of a group have the detail. */
  sharesDetail?: true;
  /** In the user's log. Absent: 'other'. */
  kind?: HistoryKind | ((facts: Facts) => HistoryKind);
  /** The admin's word, where the type is 'other'. */
  topic?: string;
  /** The notification that reports it. Absent or null: none does. */
  notification?: NotificationKind | ((facts: Facts) => NotificationKind | null);
  /** Of a campaign in an email about resumes: the list that names it, and why it is not resumed. */
  email?: (facts: Facts) => { list: EmailList; why: string };
  /** It happens once for the user and this key. */
  once?: (facts: Facts) => string;
}

export type Facts<Shape extends z.core.$ZodLooseShape> = z.output<z.ZodMiniObject<Shape>>;
export type Words = string | readonly [message: string, detail: string | null];

/** @param words what was done and why; CAMPAIGNS stands for the campaigns */
export function kind<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  words: Words | ((facts: Facts<Shape>) => Words),
  about: EventKind<Facts<Shape>> = {},
) {
  return { facts: z.object(shape), words, about };
}
