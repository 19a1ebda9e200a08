import { VisuallyHidden } from '@mantine/core';
import { durationLabel, figure } from '#core/labels.ts';
import { fullTime } from '#core/new-york.ts';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Muted } from '../../../components/muted.ts';
import type { Replay } from './replay-copy.ts';
import { SOURCE_WORDS, pausedFor } from './replay-copy.ts';
import classes from './what-if.module.css';

export function ReplayTable({ replays, isOpen }: { replays: Replay[]; isOpen: boolean }) {
  if (replays.length === 0) return null;
  return (
    <details className={classes.outages} open={isOpen}>
      <summary>{replays.length === 1 ? 'The outage' : `All ${figure(replays.length)} outages`}</summary>
      <table className={classes.table}>
        <VisuallyHidden component="caption">Outages of the last 12 months with these settings</VisuallyHidden>
        <thead>
          <tr>
            <th scope="col">Outage</th>
            <th scope="col">Paused for</th>
            <th scope="col">Resumed</th>
          </tr>
        </thead>
        <tbody>
          {replays.map((replay) => (
            <Row key={replay.startedAt} {...replay} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Row(replay: Replay) {
  const { startedAt, endedAt, peak, source, resumedAt } = replay;
  const lasted =
    endedAt === null ? 'Still open' : `Lasted ${durationLabel(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return (
    <tr>
      <th scope="row">
        {fullTime(Date.parse(startedAt))}
        <div>
          <StatusMark level={peak} />
        </div>
        <Muted>
          {lasted}. {SOURCE_WORDS[source]}.
        </Muted>
      </th>
      <td>{pausedFor(replay)}</td>
      <td>{resumedAt === null ? '–' : fullTime(Date.parse(resumedAt))}</td>
    </tr>
  );
}
