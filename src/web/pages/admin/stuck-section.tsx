import { Anchor, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { StuckEntry } from '#contract/admin.ts';
import type { StuckPart } from '#contract/failing.ts';
import type { Instant } from '#core/time.ts';
import { figure } from '#core/words.ts';
import { hasFailed } from '../../admin-queries.ts';
import { useStuck } from '../../admin-questions.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { useNow } from '../../use-now.ts';
import type { AdminAddress } from './address.ts';
import { adminSearch } from './address.ts';
import classes from './admin.module.css';
import { failingWords } from './failing-words.ts';
import { LoadNotice } from './load-notice.tsx';
import { Pager } from './pager.tsx';
import { isRetried, stuckFacts, stuckName } from './stuck-words.ts';
import type { Retries } from './use-retries.tsx';

/** So many of a part are shown beside the other parts. */
const FIRST_FEW = 5;

export interface StuckSectionProps {
  part: StuckPart;
  count: number;
  address: AdminAddress;
  retries: Retries;
}

/** One part of what is failing: its things, each with what it failed at. */
export function StuckSection({ part, count, address, retries }: StuckSectionProps) {
  const isAlone = address.part === part;
  const page = useStuck(part, isAlone ? address.after : undefined);
  const now = useNow();
  const stuck = page.data?.stuck.slice(0, isAlone ? undefined : FIRST_FEW);
  const { what, then } = failingWords(part, count);
  return (
    <Card component="section" padding={0} aria-labelledby={part} aria-busy={page.data === undefined}>
      <Group className={classes.head} justify="space-between" align="flex-start" gap="sm" pb="sm">
        <div className={classes.what}>
          <Title order={3} fz="md" id={part}>
            {what}
          </Title>
          <Text fz="sm" c="dimmed" mt={2}>
            {then}
          </Text>
        </div>
        {isRetried(part) && count > 1 && (
          <BusyButton
            variant="default"
            size="xs"
            isBusy={retries.isPending({ part })}
            isHeld={retries.isBusy}
            onClick={() => retries.retry({ part }, count)}
          >
            Try all {figure(count)} again
          </BusyButton>
        )}
      </Group>
      {hasFailed(page) && (
        <div className={classes.head}>
          <LoadNotice hasFailed reload={async () => (await page.refetch()).isSuccess} />
        </div>
      )}
      {stuck === undefined ? (
        <Skeleton h={44} mx="lg" mb="lg" w="auto" />
      ) : (
        <ul className={classes.rows}>
          {stuck.map((entry) => (
            <Entry key={entry.id} part={part} entry={entry} now={now} retries={retries} />
          ))}
        </ul>
      )}
      {isAlone ? (
        <Pager address={address} next={page.data?.next ?? null} />
      ) : (
        count > FIRST_FEW && (
          <div className={classes.more}>
            <Anchor
              component={Link}
              fz="sm"
              to={{ pathname: '/admin', search: adminSearch({ view: 'stuck', part }) }}
            >
              Show all {figure(count)}
            </Anchor>
          </div>
        )
      )}
    </Card>
  );
}

interface EntryProps {
  part: StuckPart;
  entry: StuckEntry;
  now: Instant;
  retries: Retries;
}

function Entry({ part, entry, now, retries }: EntryProps) {
  const { id, people, accountId, lastError } = entry;
  const name = stuckName(part, entry);
  const whom = [
    ...people.map((one) => `${one.name} (person ${one.id})`),
    ...(accountId === null || name === accountId ? [] : [accountId]),
  ];
  return (
    <li className={classes.stuck}>
      <div className={classes.cell}>
        <Text fz="sm" fw={600}>
          {name}
        </Text>
        {whom.length > 0 && <Text fz="sm">{whom.join(', ')}</Text>}
        <Text fz="sm" c="dimmed" className="figures">
          {stuckFacts(part, entry, now)}
        </Text>
        {lastError !== null && (
          <Text fz="sm" c="var(--status-high)">
            Last error: {lastError}
          </Text>
        )}
      </div>
      {isRetried(part) && entry.blockedUntil === null && (
        <BusyButton
          variant="default"
          size="xs"
          aria-label={`Try again: ${name}`}
          isBusy={retries.isPending({ part, id })}
          isHeld={retries.isBusy}
          onClick={() => retries.retry({ part, id }, 1)}
        >
          Try again
        </BusyButton>
      )}
    </li>
  );
}
