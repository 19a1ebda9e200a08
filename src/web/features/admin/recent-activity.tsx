import { Badge, Text } from '@mantine/core';
import type { AdminActivity } from '#contract/admin-overview.ts';
import { fullTime, relativeTime } from '#core/new-york.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import classes from './admin.module.css';

const TYPES: Record<AdminActivity['type'], { word: string; color: string }> = {
  pause: { word: 'Pause', color: 'yellow' },
  resume: { word: 'Resume', color: 'green' },
  login: { word: 'Login', color: 'blue' },
  setting: { word: 'Setting', color: 'grape' },
  other: { word: 'Other', color: 'gray' },
};

export function RecentActivity({ activities }: { activities: readonly AdminActivity[] | undefined }) {
  return (
    <SectionCard id="recent-activity" title="Recent activity" aria-busy={activities === undefined}>
      {activities === undefined && <Placeholders heights={[44, 44, 44, 44]} />}
      {activities?.length === 0 && <Muted>No recent activity</Muted>}
      <ul className={classes.activities}>
        {activities?.map((activity) => (
          <Activity key={activity.id} {...activity} />
        ))}
      </ul>
    </SectionCard>
  );
}

function Activity({ type, message, user, timestamp }: AdminActivity) {
  const { word, color } = TYPES[type];
  const at = Date.parse(timestamp);
  return (
    <li>
      <Badge color={color}>{word}</Badge>
      <div>
        <Text fz="sm">{message}</Text>
        <Muted mt={2} className="figures">
          {user ?? 'Deleted user'} · <Time at={at}>{fullTime(at)}</Time> ·{' '}
          <span>{relativeTime(at, useNow())}</span>
        </Muted>
      </div>
    </li>
  );
}
