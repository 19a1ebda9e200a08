import { Card, Text, Title } from '@mantine/core';
import type { AdminStatus } from '#contract/admin-overview.ts';
import { BusyButton } from '../../components/busy-button.tsx';
import { StatusShape } from '../../components/status-mark.tsx';
import { FORCES, actionWords, directiveWords } from './action-words.ts';
import classes from './admin.module.css';
import type { Actions } from './use-actions.tsx';

export interface SystemControlsProps {
  directive: AdminStatus['adminDirective'];
  actions: Actions;
}

export function SystemControls({ directive, actions }: SystemControlsProps) {
  const { take, pending } = actions;
  const inForce = directiveWords(directive);
  return (
    <Card component="section" aria-labelledby="system-controls">
      <Title order={2} fz="lg" id="system-controls">
        System controls
      </Title>
      <Text c="dimmed" fz="sm" mt={4} mb="md">
        An override counts for everybody in place of what Meta reports, until it is cleared.
      </Text>
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
            isHeld={pending !== null}
            onClick={() => take(action)}
          >
            {label}
          </BusyButton>
        ))}
        <BusyButton
          variant="default"
          className={classes.clear ?? ''}
          isBusy={pending === 'clear'}
          isHeld={pending !== null}
          onClick={() => take('clear')}
        >
          {actionWords('clear', undefined).label}
        </BusyButton>
      </div>
    </Card>
  );
}
