import { Fragment } from 'react';
import type { PlatformStatus } from '#contract/shapes.ts';
import type { Instant } from '#core/time.ts';
import { atTime, checkedCopy } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';

/** 'since 9:10 PM EST · last checked 12 s ago'. */
export function StatusTimes({ status }: { status: PlatformStatus }) {
  return (
    <span className="figures">
      <Times status={status} />
    </span>
  );
}

function Times({ status }: { status: PlatformStatus }) {
  const now = useNow();
  return timesOf(status, now).map(({ text, at }, index) => (
    <Fragment key={text}>
      {index > 0 && ' · '}
      {at === null ? text : <Time at={at}>{text}</Time>}
    </Fragment>
  ));
}

/** Omits the times that the server does not send. */
function timesOf({ since, checkedAt }: PlatformStatus, now: Instant): { text: string; at: Instant | null }[] {
  const began = since == null ? null : Date.parse(since);
  const checked = checkedAt == null ? null : Date.parse(checkedAt);
  return [
    ...(began === null ? [] : [{ text: `since ${atTime(began, now)}`, at: began }]),
    ...(checkedAt === undefined ? [] : [{ text: checkedCopy(checked, now), at: checked }]),
  ];
}

/** A quiet line when the level is UP; it keeps its space. */
export function QuietStatus({ status }: { status: PlatformStatus | null }) {
  const state =
    status?.isOverridden === true ? 'Set to Up by the SmartPause team' : 'Meta ad services are up';
  const hasTimes = status?.since != null || status?.checkedAt !== undefined;
  return (
    <Muted mih="1.55em" className="figures" data-testid="quiet-status">
      {status !== null && state}
      {status !== null && hasTimes && ' · '}
      {status !== null && <Times status={status} />}
    </Muted>
  );
}
