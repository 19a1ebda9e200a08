import type { Activity } from './activity-log.ts';
import { checkActivityLog, readActivityLog } from './activity-log.ts';
import type { Received } from './mailbox.ts';
import { checkMailbox, readOutbox } from './mailbox.ts';
import type { HoldRow, Query } from './snapshot.ts';
import { takeSnapshot } from './snapshot.ts';

interface Given {
  query: Query;
  /** The statuses that SmartPause's writes set on Meta, in order, by hold; absent: the write log has its own rules. */
  changes?: ReadonlyMap<number, readonly string[]>;
  received: readonly Received[];
  campaigns: readonly { id: string; name: string }[];
}

/** Reads the activity log and the outbox; checks them against holds, write log and mailbox. */
export async function checkRecords(
  given: Given,
): Promise<{ violations: string[]; activities: Activity[]; holds: HoldRow[] }> {
  const { query, changes = new Map(), received, campaigns } = given;
  const { holds, users } = await takeSnapshot(query);
  const activities = await readActivityLog(query);
  const nameOf = (campaign: string): string => campaigns.find(({ id }) => id === campaign)?.name ?? '?';
  const outbox = await readOutbox(query);
  const violations = [
    ...checkActivityLog({ activities, holds, changes, users }),
    ...checkMailbox({ activities, users, outbox, received, nameOf }),
  ];
  return { violations, activities, holds };
}
