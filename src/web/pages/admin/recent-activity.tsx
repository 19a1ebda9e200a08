import { Badge, Button, Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { AdminActivity } from '#contract/admin-overview.ts';
import { fullTime, relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Time } from '../../components/time.tsx';
import classes from './admin.module.css';
import { Muted } from '../../components/muted.ts';

const TYPES: Record<AdminActivity['type'], { word: string; color: string }> = {
  pause: { word: 'Pause', color: 'yellow' },
  resume: { word: 'Resume', color: 'green' },
  login: { word: 'Login', color: 'blue' },
  setting: { word: 'Setting', color: 'grape' },
  other: { word: 'Other', color: 'gray' },
};

/** Rows before the user presses "Show all". */
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
        <div className={classes.more}>
          <Button
            variant="subtle"
            size="sm"
            fullWidth
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? 'Show fewer' : `Show all ${activities.length}`}
          </Button>
        </div>
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
        <Muted mt={2} className="figures">
          {activity.user ?? 'A deleted user'} · <Time at={at}>{fullTime(at)}</Time>
        </Muted>
      </div>
      <Muted className={`figures ${classes.ago ?? ''}`}>{relativeTime(at, now)}</Muted>
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
