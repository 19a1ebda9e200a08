import { Badge, Card, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { AdminStatus } from '#contract/admin-overview.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { StatusTimes } from '../../components/status-times.tsx';
import { usePlatformStatus } from '../../api/queries.ts';
import { directiveCopy } from './action-copy.ts';
import classes from './admin.module.css';
import { Muted } from '../../components/muted.ts';

export function StatusBreakdown({ status }: { status: AdminStatus | undefined }) {
  return (
    <Card component="section" aria-labelledby="status-breakdown" aria-busy={status === undefined}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} fz="lg" id="status-breakdown">
          System status
        </Title>
        {status?.isOverridden === true && <Badge color="orange">Overridden</Badge>}
      </Group>
      {status === undefined ? <Placeholder /> : <Breakdown status={status} />}
    </Card>
  );
}

function Breakdown({ status }: { status: AdminStatus }) {
  const effective = usePlatformStatus();
  return (
    <dl className={classes.facts}>
      <dt>Effective status</dt>
      <dd>
        <StatusMark level={status.effectiveStatus} />
        {effective?.status === status.effectiveStatus && (
          <Muted>
            <StatusTimes status={effective} />
          </Muted>
        )}
      </dd>
      <dt>True Meta status</dt>
      <dd>
        <StatusMark level={status.trueMetaStatus} />
      </dd>
      <dt>Admin directive</dt>
      <dd>{directiveCopy(status.adminDirective)}</dd>
      <dt>Overridden</dt>
      <dd>{status.isOverridden ? 'Yes' : 'No'}</dd>
      <dt>Status message</dt>
      <dd>{status.statusMessage === '' ? 'None' : status.statusMessage}</dd>
    </dl>
  );
}

function Placeholder() {
  return (
    <Stack gap="sm">
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} h={20} data-testid="status-placeholder" />
      ))}
    </Stack>
  );
}
