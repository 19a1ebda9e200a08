import { Badge, Text } from '@mantine/core';
import type { HistoryEntry } from '#contract/outage-api.ts';
import { dayAndTime } from '../../lib/exact-times.ts';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { Time } from '../../components/time.tsx';
import classes from './history-entries.module.css';

const KINDS: Record<HistoryEntry['kind'], { label: string; color: string }> = {
  paused: { label: 'Paused', color: 'yellow' },
  resumed: { label: 'Resumed', color: 'green' },
  not_resumed: { label: 'Not resumed', color: 'orange' },
  not_paused: { label: 'Not paused', color: 'gray' },
  manual: { label: 'Manual', color: 'blue' },
  setting: { label: 'Setting', color: 'grape' },
  other: { label: 'Other', color: 'gray' },
};

const ACTORS: Record<Exclude<HistoryEntry['actor'], 'user'>, string> = {
  smartpause: 'SmartPause',
  meta: 'Meta',
  stripe: 'Stripe',
  operator: 'The SmartPause team',
};

export function HistoryEntries({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <ol className={classes.entries}>
      {entries.map((entry) => (
        <Entry key={entry.id} {...entry} />
      ))}
    </ol>
  );
}

function Entry({ at, kind, actor, user, message, reason, outageId }: HistoryEntry) {
  const { label, color } = KINDS[kind];
  const instant = Date.parse(at);
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <Badge color={color}>{label}</Badge>
        <Muted span className="figures">
          <Time at={instant}>{dayAndTime(instant)}</Time>
        </Muted>
      </div>
      <Text fz="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      {reason !== null && (
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      )}
      <Muted>
        By {actor === 'user' ? (user ?? 'another user') : ACTORS[actor]}
        {outageId !== null && (
          <>
            {' · '}
            <TextLink to={`/activity/${outageId}`}>See the outage</TextLink>
          </>
        )}
      </Muted>
    </li>
  );
}
