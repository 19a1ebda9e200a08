import { Text } from '@mantine/core';
import type { PlatformStatus } from '#contract/shapes.ts';
import type { Instant } from '#core/time.ts';
import { atTime, checkedWords } from '../text/times.ts';
import { useNow } from '../hooks/use-now.ts';

/** 'since 9:10 PM EST · last checked 12 s ago', wherever a status is shown. */
export function StatusTimes({ status }: { status: PlatformStatus }) {
  const now = useNow();
  return <span className="figures">{timesOf(status, now).join(' · ')}</span>;
}

/** What is not sent is left out. */
function timesOf({ since, checkedAt }: PlatformStatus, now: Instant): string[] {
  return [
    ...(since == null ? [] : [`since ${atTime(Date.parse(since), now)}`]),
    ...(checkedAt === undefined
      ? []
      : [checkedWords(checkedAt === null ? null : Date.parse(checkedAt), now)]),
  ];
}

/** All is well: that is said quietly, in a place that is kept for it. */
export function QuietStatus({ status }: { status: PlatformStatus | null }) {
  const now = useNow();
  const state = status?.isOverridden === true ? 'Set to up by SmartPause’s team' : 'Meta ad services are up';
  return (
    <Text fz="sm" c="dimmed" mih="1.55em" className="figures" data-testid="quiet-status">
      {status !== null && [state, ...timesOf(status, now)].join(' · ')}
    </Text>
  );
}
