import { Badge, Button, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { HeldEntry } from '#contract/admin.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { hasFailed, useHeld } from '../../api/admin-queries.ts';
import { atTime } from '../../text/times.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Time } from '../../components/time.tsx';
import classes from './admin.module.css';
import { STATE_WORDS, outlookCopy, whyCopy } from './held-copy.ts';
import { LoadNotice } from './load-notice.tsx';
import { Muted } from '../../components/muted.ts';

/** Every live hold, with its reason and the condition that ends it. */
export function Held() {
  const now = useNow();
  const [after, setAfter] = useState<string>();
  const page = useHeld(after);
  if (page.data === null) return null;
  const next = page.data?.next ?? null;
  return (
    <Card component="section" padding={0} aria-labelledby="held" aria-busy={page.data === undefined}>
      <div className={classes.head}>
        <Title order={2} fz="lg" id="held">
          Campaigns paused by SmartPause
        </Title>
        <LoadNotice hasFailed={hasFailed(page)} reload={async () => (await page.refetch()).isSuccess} />
        <Muted mt={4} role="status" component="div">
          {page.data === undefined && <Skeleton h={22} data-testid="held-placeholder" />}
          {page.data?.held.length === 0 && 'No paused campaigns'}
        </Muted>
      </div>
      <ul className={classes.rows}>
        {page.data?.held.map((one) => (
          <Row key={one.id} held={one} now={now} />
        ))}
      </ul>
      {(after !== undefined || next !== null) && (
        <Group className={classes.more} justify="space-between">
          <Button
            variant="default"
            size="sm"
            disabled={after === undefined}
            onClick={() => setAfter(undefined)}
          >
            First page
          </Button>
          <Button
            variant="default"
            size="sm"
            disabled={next === null}
            onClick={() => setAfter(next ?? undefined)}
          >
            Next page
          </Button>
        </Group>
      )}
    </Card>
  );
}

function Row({ held, now }: { held: HeldEntry; now: Instant }) {
  const { user, campaign, accountId, state, isUnconfirmed, lastError } = held;
  const since = Date.parse(held.since);
  const { word, color } = STATE_WORDS[state];
  return (
    <li className={classes.row}>
      <div className={classes.cell}>
        <Text fz="sm" fw={600}>
          {campaign.name ?? `Campaign ${campaign.id}`}
        </Text>
        <Text fz="sm">{`${user.name} (user ${user.id})`}</Text>
        <Text fz="xs" c="dimmed" className="figures">
          Campaign {campaign.id}, {accountId}
        </Text>
      </div>
      <div className={classes.cell}>
        <div className={classes.badges}>
          <Badge color={color}>{word}</Badge>
          {isUnconfirmed && <Badge color="red">Unconfirmed</Badge>}
          <Muted span className="figures">
            since <Time at={since}>{atTime(since, now)}</Time>, {relativeTime(since, now)}
          </Muted>
        </div>
        <Muted mt={4}>{whyCopy(held)}</Muted>
      </div>
      <div className={classes.cell}>
        <Text fz="sm" fw={550} className="figures">
          {outlookCopy(held, now)}
        </Text>
        <LastError error={lastError} />
      </div>
    </li>
  );
}

export function LastError({ error }: { error: string | null }) {
  if (error === null) return null;
  return (
    <Text fz="sm" c="var(--status-high)">
      Last error: {error}
    </Text>
  );
}
