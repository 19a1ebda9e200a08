import { Anchor, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { STUCK_PARTS } from '#contract/failing.ts';
import type { Failing } from '#contract/admin-overview.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/words.ts';
import { CheckMark } from '../../components/check-mark.tsx';
import { atTime } from '../../times.ts';
import { useNow } from '../../use-now.ts';
import { adminSearch } from './address.ts';
import classes from './admin.module.css';
import { failingWords } from './failing-words.ts';

export function WhatIsFailing({ failing }: { failing: readonly Failing[] | undefined }) {
  return (
    <Card component="section" aria-labelledby="failing" aria-busy={failing === undefined}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} fz="lg" id="failing">
          What is failing
        </Title>
        {failing?.some(({ part }) => STUCK_PARTS.some((one) => one === part)) === true && (
          <Anchor
            fz="sm"
            component={Link}
            to={{ pathname: '/admin', search: adminSearch({ view: 'stuck' }) }}
          >
            See each, and try it again
          </Anchor>
        )}
      </Group>
      {failing === undefined ? (
        <Skeleton h={22} data-testid="failing-placeholder" />
      ) : (
        <List failing={failing} />
      )}
    </Card>
  );
}

function List({ failing }: { failing: readonly Failing[] }) {
  const now = useNow();
  return (
    <>
      <Text fz="sm" role="status" c="dimmed">
        {failing.length === 0 ? (
          <Group component="span" gap={8}>
            <CheckMark /> Nothing that we know of
          </Group>
        ) : (
          counted(failing.length, 'problem')
        )}
      </Text>
      {failing.length > 0 && (
        <ul className={classes.failing}>
          {failing.map((one) => (
            <Entry key={one.part} failing={one} now={now} />
          ))}
        </ul>
      )}
    </>
  );
}

function Entry({ failing: { part, count, since, lastError }, now }: { failing: Failing; now: Instant }) {
  const { what, then } = failingWords(part, count);
  return (
    <li>
      <Text fz="sm" fw={600}>
        {what}
      </Text>
      <Text fz="sm" c="dimmed" className="figures" style={{ overflowWrap: 'anywhere' }}>
        {since !== null && `Since ${atTime(Date.parse(since), now)}. `}
        {then}
        {lastError !== null && ` Last error: ${lastError}`}
      </Text>
    </li>
  );
}
