import { Anchor, Card, Group, Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { StuckPart } from '#contract/failing.ts';
import { STUCK_PARTS } from '#contract/failing.ts';
import type { Failing } from '#contract/admin-overview.ts';
import { hasFailed, useFailing } from '../../admin-queries.ts';
import { CheckMark } from '../../components/check-mark.tsx';
import { adminSearch } from './address.ts';
import { LoadNotice } from './load-notice.tsx';
import { StuckSection } from './stuck-section.tsx';
import { useAdminAddress } from './use-address.ts';
import { useRetries } from './use-retries.tsx';

/** What is stuck and its last error, thing by thing. */
export function Stuck() {
  const { address } = useAdminAddress();
  const failing = useFailing();
  const retries = useRetries();
  const parts = stuckParts(failing.data ?? undefined).filter(
    ({ part }) => address.part === undefined || part === address.part,
  );
  return (
    <>
      <LoadNotice hasFailed={hasFailed(failing)} reload={async () => (await failing.refetch()).isSuccess} />
      <Card component="section" aria-labelledby="stuck" aria-busy={failing.data === undefined}>
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="lg" id="stuck">
            What is stuck
          </Title>
          {address.part !== undefined && (
            <Anchor
              component={Link}
              fz="sm"
              to={{ pathname: '/admin', search: adminSearch({ view: 'stuck' }) }}
            >
              All that is stuck
            </Anchor>
          )}
        </Group>
        <Text fz="sm" c="dimmed" mt={4} role="status">
          {failing.data === undefined ? (
            <Skeleton component="span" display="block" h={22} data-testid="stuck-placeholder" />
          ) : parts.length === 0 ? (
            <Group component="span" gap={8}>
              <CheckMark /> Nothing that we know of
            </Group>
          ) : (
            'All of this is tried again by itself, except mails that were given up. Trying again now never overrules a limit of Meta.'
          )}
        </Text>
      </Card>
      {parts.map(({ part, count }) => (
        <StuckSection key={part} part={part} count={count} address={address} retries={retries} />
      ))}
      {retries.question}
    </>
  );
}

function stuckParts(failing: readonly Failing[] = []): { part: StuckPart; count: number }[] {
  return failing.flatMap(({ part, count }) => {
    const known = STUCK_PARTS.find((one) => one === part);
    return known === undefined ? [] : [{ part: known, count: count ?? 0 }];
  });
}
