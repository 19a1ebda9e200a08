import { Badge, Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { AdminActivity } from '#contract/admin-overview.ts';
import { fullTime, relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { useNow } from '../../hooks/use-now.ts';
import classes from './admin.module.css';
import { ShowMore } from './show-more.tsx';

const TYPES: Record<AdminActivity['type'], { word: string; color: string }> = {
  pause: { word: 'Pause', color: 'yellow' },
  resume: { word: 'Resume', color: 'green' },
  login: { word: 'Login', color: 'blue' },
  setting: { word: 'Setting', color: 'grape' },
  other: { word: 'Other', color: 'gray' },
};

/** What is shown before somebody asks for all of it. */
const SHOWN_AT_FIRST = 12;

export function RecentActivity({ activities }: { activities: readonly AdminActivity[] | undefined }) {
  return (
    <Card
      component="section"
      padding={0}
      aria-labelledby="recent-activity"
      aria-busy={activities === undefined}
    >
      <Title order={2} fz="lg" px="lg" pt="lg" pb="sm" id="recent-activity">
        Recent activity
      </Title>
      {activities === undefined && <Placeholder />}
      {activities?.length === 0 && (
        <Text c="dimmed" ta="center" px="lg" pt="lg" pb={56}>
          No recent activity
        </Text>
      )}
      {activities !== undefined && activities.length > 0 && <List activities={activities} />}
    </Card>
  );
}

function List({ activities }: { activities: readonly AdminActivity[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const now = useNow();
  const shown = showsAll ? activities : activities.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className={classes.activities}>
        {shown.map((activity) => (
          <Entry key={activity.id} activity={activity} now={now} />
        ))}
      </ul>
      {activities.length > SHOWN_AT_FIRST && (
        <ShowMore showsAll={showsAll} count={activities.length} onChange={setShowsAll} />
      )}
    </>
  );
}

function Entry({ activity, now }: { activity: AdminActivity; now: Instant }) {
  const { word, color } = TYPES[activity.type];
  const at = Date.parse(activity.timestamp);
  return (
    <li className={classes.activity}>
      <Badge color={color} className={classes.type ?? ''}>
        {word}
      </Badge>
      <div className={classes.what}>
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {activity.message}
        </Text>
        <Text fz="sm" c="dimmed" mt={2} className="figures">
          {activity.user ?? 'Somebody who has left'} ·{' '}
          <time dateTime={activity.timestamp}>{fullTime(at)}</time>
        </Text>
      </div>
      <Text fz="sm" c="dimmed" className={`figures ${classes.ago ?? ''}`}>
        {relativeTime(at, now)}
      </Text>
    </li>
  );
}

function Placeholder() {
  return (
    <Stack gap="sm" px="lg" pb="lg">
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} h={44} data-testid="activity-placeholder" />
      ))}
    </Stack>
  );
}
