import { Card, Title } from '@mantine/core';
import type { AdminStatus } from '#contract/admin-overview.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { StatusShape } from '../../components/status-mark.tsx';
import { FORCES, actionLabels, directiveCopy } from './action-copy.ts';
import classes from './admin.module.css';
import type { Actions } from './use-actions.tsx';
import { Muted } from '../../components/muted.ts';

export interface SystemControlsProps {
  directive: AdminStatus['adminDirective'];
  actions: Actions;
}

export function SystemControls({ directive, actions }: SystemControlsProps) {
  const { take, pending } = actions;
  const inForce = directiveCopy(directive);
  return (
    <Card component="section" aria-labelledby="system-controls">
      <Title order={2} fz="lg" id="system-controls">
        System controls
      </Title>
      <Muted mt={4} mb="md">
        Overrides apply to all users and replace Meta’s reported status until cleared.
      </Muted>
      <div className={classes.controls}>
        {FORCES.map(({ action, level, label }) => (
          <BusyButton
            key={action}
            variant="default"
            justify="flex-start"
            leftSection={<StatusShape level={level} />}
            aria-pressed={label === inForce}
            className={classes.force ?? ''}
            isBusy={pending === action}
            isInert={pending !== null}
            onClick={() => take(action)}
          >
            {label}
          </BusyButton>
        ))}
        <BusyButton
          variant="default"
          className={classes.clear ?? ''}
          isBusy={pending === 'clear'}
          isInert={pending !== null}
          onClick={() => take('clear')}
        >
          {actionLabels('clear', undefined).label}
        </BusyButton>
      </div>
    </Card>
  );
}
