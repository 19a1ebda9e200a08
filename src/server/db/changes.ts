/** Where the database announces changes; what it says there is written in migration 0005. */
export const CHANGES_CHANNEL = 'smartpause_changes';

const PERSONAL = ['person', 'accounts', 'subscription', 'sessions'] as const;

/** What has changed, and whom it concerns. */
export type Notice =
  | { kind: 'status' | 'activity' }
  | { kind: 'campaigns'; of: { personId: string; adAccountId: string }[] }
  | { kind: (typeof PERSONAL)[number]; personIds: string[] }
  /** Sessions that are over. */
  | { kind: 'ended'; sessionIds: string[] };

/** Null for what this version does not know: a newer process may be at work beside it. */
export function parseNotice(payload: string): Notice | null {
  const [kind = '', whom = ''] = payload.split(' ');
  const ids = whom === '' ? [] : whom.split(',');
  if (kind === 'status' || kind === 'activity') return { kind };
  if (kind === 'ended') return { kind, sessionIds: ids };
  if (kind === 'campaigns') {
    const of = ids.map((one) => one.split(':'));
    return { kind, of: of.map(([personId = '', adAccountId = '']) => ({ personId, adAccountId })) };
  }
  const personal = PERSONAL.find((one) => one === kind);
  return personal === undefined ? null : { kind: personal, personIds: ids };
}
