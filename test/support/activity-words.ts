import { WITH_SHARED_DETAIL } from '../../src/core/events.ts';
import { groupText } from '../../src/core/outages/activity-text.ts';

/** The text of a stored activity. */
export function textOf(activity: {
  event: string;
  message: string;
  detail: string | null;
  campaigns: Record<string, { name: string }> | null;
}): string {
  const names = Object.values(activity.campaigns ?? {}).map(({ name }) => name);
  const sharesDetail = WITH_SHARED_DETAIL.some((event) => event === activity.event);
  return groupText({ ...activity, sharesDetail, account: null, count: names.length, names });
}
