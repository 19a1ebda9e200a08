import { Text } from '@mantine/core';
import type { PlatformStatus } from '#contract/shapes.ts';
import { atTime, checkedWords } from '../times.ts';
import { useNow } from '../use-now.ts';

/** 'since 9:10 PM EST · last checked 12 s ago', wherever a status is shown. */
export function StatusTimes({ status: { since, checkedAt } }: { status: PlatformStatus }) {
  const now = useNow();
  return (
    <span className="figures">
      {since !== null && `since ${atTime(Date.parse(since), now)} · `}
      {checkedWords(checkedAt === null ? null : Date.parse(checkedAt), now)}
    </span>
  );
}

/** All is well: that is said quietly, in a place that is kept for it. */
export function QuietStatus({ status }: { status: PlatformStatus | null }) {
  return (
    <Text fz="sm" c="dimmed" mih="1.55em" data-testid="quiet-status">
      {status !== null && (
        <>
          {status.isOverridden ? 'Set to up by SmartPause’s team' : 'Meta ad services are up'} ·{' '}
          <StatusTimes status={status} />
        </>
      )}
    </Text>
  );
}
