import { Button, Group, SimpleGrid, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import type { Action } from '../changes/actions.ts';
import { changes, isLocked } from '../changes/actions.ts';
import { useChanges } from '../changes/change-provider.tsx';
import { ReasonButton } from '../reason-button.tsx';
import classes from './list.module.css';

interface BulkBarProps {
  account: AdAccount;
  allowed: readonly Action[];
  selected: readonly Campaign[];
  /** Selected, but hidden by the filters. */
  hidden: number;
  onClear: () => void;
}

/** Sticks to the window's lower edge: the actions for the selected campaigns. */
export function BulkBar({ account, allowed, selected, hidden, onClear }: BulkBarProps) {
  const { change } = useChanges();
  if (selected.length === 0) return null;
  const onAction = (action: Action, campaigns: readonly Campaign[]) => {
    change({ action, targets: campaigns.map((campaign) => ({ account, campaign })), onStart: onClear });
  };
  return (
    <Group
      component="section"
      className={classes.bar}
      gap="xs"
      px={{ base: 16, sm: 'lg' }}
      py={{ base: 8, sm: 12 }}
      aria-label="Selected campaigns"
    >
      <Text fz="sm" role="status" className="figures">
        <b>{figure(selected.length)} selected</b>
        {hidden > 0 && `, ${figure(hidden)} of them not shown`}
      </Text>
      <Button size="sm" variant="subtle" me="auto" onClick={onClear}>
        Clear selection
      </Button>
      <SimpleGrid cols={{ base: 2, sm: allowed.length }} spacing={8} w={{ base: '100%', sm: 'auto' }}>
        {allowed.map((action) => (
          <ActionButton key={action} {...{ action, selected, onAction }} />
        ))}
      </SimpleGrid>
    </Group>
  );
}

interface ActionButtonProps {
  action: Action;
  selected: readonly Campaign[];
  onAction: (action: Action, campaigns: readonly Campaign[]) => void;
}

function ActionButton({ action, selected, onAction }: ActionButtonProps) {
  const campaigns = selected.filter((campaign) => changes(campaign, action));
  const locked = selected.filter((campaign) => isLocked(campaign, action)).length;
  const reason = `Turn SmartPause off to ${action} ${locked === 1 ? 'it' : 'them'} manually`;
  return (
    <ReasonButton
      variant={action === 'on' ? 'filled' : 'default'}
      isBusy={false}
      reason={campaigns.length === 0 && locked > 0 ? reason : null}
      disabled={campaigns.length === 0}
      onClick={() => onAction(action, campaigns)}
    >
      <span>
        {LABELS[action]} ({figure(campaigns.length)})
      </span>
    </ReasonButton>
  );
}

const turn = (to: 'on' | 'off') => (
  <>
    Turn <VisuallyHidden component="span">SmartPause </VisuallyHidden>
    {to}
  </>
);

const LABELS: Record<Action, ReactNode> = {
  on: turn('on'),
  off: turn('off'),
  pause: 'Pause',
  resume: 'Resume',
};
