import { Badge } from '@mantine/core';
import type { AdminStatus } from '#contract/admin-overview.ts';
import { usePlatformStatus } from '../status/api.ts';
import type { Fact } from '../../components/facts.tsx';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { StatusMark, StatusShape } from '../status/status-mark.tsx';
import { StatusTimes } from '../status/status-times.tsx';
import { FORCES, directiveCopy } from './action-copy.ts';
import type { Actions } from './actions.tsx';
import { ActionButton } from './actions.tsx';
import classes from './admin.module.css';

export function SystemStatus({ status }: { status: AdminStatus | undefined }) {
  return (
    <SectionCard id="system-status" title="System status" aria-busy={status === undefined}>
      {status === undefined ? <Placeholders heights={[150]} /> : <Breakdown status={status} />}
    </SectionCard>
  );
}

function Breakdown({ status }: { status: AdminStatus }) {
  const { effectiveStatus, trueMetaStatus, adminDirective, isOverridden, statusMessage } = status;
  const shown = usePlatformStatus();
  const facts: Fact[] = [
    [
      'Effective status',
      <>
        <StatusMark level={effectiveStatus} />
        {shown?.status === effectiveStatus && (
          <Muted>
            <StatusTimes status={shown} />
          </Muted>
        )}
      </>,
    ],
    ['True Meta status', <StatusMark key="true" level={trueMetaStatus} />],
    ['Admin directive', directiveCopy(adminDirective)],
    ['Overridden', isOverridden ? <Badge color="orange">Yes</Badge> : 'No'],
    ['Status message', statusMessage === '' ? 'None' : statusMessage],
  ];
  return <Facts facts={facts} width={140} />;
}

interface SystemControlsProps {
  directive: AdminStatus['adminDirective'];
  actions: Actions;
}

export function SystemControls({ directive, actions }: SystemControlsProps) {
  const inForce = directiveCopy(directive);
  return (
    <SectionCard id="system-controls" title="System controls">
      <Muted mb="md">Overrides apply to all users and replace Meta’s reported status until cleared.</Muted>
      <div className={classes.controls}>
        {FORCES.map(({ action, level, label }) => (
          <ActionButton
            key={action}
            action={action}
            actions={actions}
            justify="flex-start"
            leftSection={<StatusShape level={level} />}
            aria-pressed={label === inForce}
          />
        ))}
        <ActionButton action="clear" actions={actions} />
      </div>
    </SectionCard>
  );
}
