import { Badge, SimpleGrid } from '@mantine/core';
import type { AdminStatus } from '#contract/admin-overview.ts';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { usePlatformStatus } from '../status/api.ts';
import { StatusMark, StatusShape } from '../status/status-mark.tsx';
import { StatusTimes } from '../status/status-times.tsx';
import { OVERRIDES } from './action-copy.ts';
import type { Actions } from './actions.tsx';
import { ActionButton } from './actions.tsx';

export function SystemStatus({ status }: { status: AdminStatus | undefined }) {
  return (
    <SectionCard id="system-status" title="System status">
      {status === undefined ? <Placeholders heights={[150]} /> : <Breakdown {...status} />}
    </SectionCard>
  );
}

function Breakdown(status: AdminStatus) {
  const { effectiveStatus, trueMetaStatus, adminDirective, isOverridden, statusMessage } = status;
  const shown = usePlatformStatus();
  const effective = (
    <>
      <StatusMark level={effectiveStatus} />
      {shown?.status === effectiveStatus && (
        <Muted>
          <StatusTimes status={shown} />
        </Muted>
      )}
    </>
  );
  return (
    <Facts
      width={140}
      facts={[
        ['Effective status', effective],
        ['True Meta status', <StatusMark key="true" level={trueMetaStatus} />],
        ['Admin directive', OVERRIDES.find((one) => one.directive === adminDirective)?.label ?? 'None'],
        ['Overridden', isOverridden ? <Badge color="orange">Yes</Badge> : 'No'],
        ['Status message', statusMessage === '' ? 'None' : statusMessage],
      ]}
    />
  );
}

/** Two lines where needed. */
const WRAPS = { root: { height: 'auto', minHeight: 36 }, label: { whiteSpace: 'normal' } } as const;

interface SystemControlsProps {
  current: AdminStatus['adminDirective'];
  actions: Actions;
}

export function SystemControls({ current, actions }: SystemControlsProps) {
  return (
    <SectionCard id="system-controls" title="System controls">
      <Muted mb="md">Overrides apply to all users and replace Meta’s reported status until cleared.</Muted>
      <SimpleGrid cols={2} spacing="xs">
        {OVERRIDES.map(({ action, directive, level }) => (
          <ActionButton
            key={action}
            action={action}
            actions={actions}
            justify="flex-start"
            styles={WRAPS}
            leftSection={<StatusShape level={level} />}
            variant={directive === current ? 'light' : 'default'}
            aria-pressed={directive === current}
          />
        ))}
        <ActionButton action="clear" actions={actions} style={{ gridColumn: '1 / -1' }} />
      </SimpleGrid>
    </SectionCard>
  );
}
